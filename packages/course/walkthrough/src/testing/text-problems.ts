import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parsePage } from "../page/parse.ts";
import { acceptTexts } from "../text/accepted.ts";
import { checkText } from "../text/check-text.ts";

const files = {
  "packages/sdk/client/src/patience.ts": "export interface Result {\n  requeueAfter?: number;\n}\n",
  "tutorials/01-a/2-next.md": "---\ntitle: Next\n---\n## The second half\n\n```console\n$ true\n```\n",
  "tutorials/01-a/app/Makefile": "IMG ?= app:1\n\ndeploy:\n\tkubectl apply\n\ntest: deploy\n\ttrue\n",
  "tutorials/01-a/app/src/wait.ts":
    '/** Waits; never restes. */\nexport const atMost = 120_000;\nexport function settle() {\n  return "done";\n}\n',
  "tutorials/01-a/app/src/more.ts": "export {};\n",
  "tutorials/01-a/app/deploy.yaml":
    "spec:\n  replicas: 3\n  template:\n    spec:\n      securityContext: { runAsUser: 65532 }\n",
};

/**
 * Returns the problems of a page, as `line: message`. In `body`, `~~~` stands for three backticks. Accepts
 * all texts.
 */
export function problemsOf(
  body: string,
  claims = "",
  options: { more?: Record<string, string>; frontMatter?: string } = {},
): string[] {
  const frontMatter =
    options.frontMatter ?? (/^\$ kubectl/m.test(body) ? "{ title: T, requires: [kubectl] }" : "title: T");
  const source = `---\n${frontMatter}\n---\n${body.replaceAll("~~~", "```")}`;
  const own = {
    "tutorials/01-a/1-first.md": source,
    "tutorials/01-a/claims/1-first.yaml": `claims:\n${claims}`,
  };
  const root = realpathSync(mkdtempSync(join(tmpdir(), "text-test-")));
  try {
    for (const [name, content] of Object.entries({ ...files, ...own, ...options.more })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const page = parsePage(source, join(root, "tutorials/01-a/1-first.md"));
    acceptTexts(page);
    return checkText(page, { root }).map(
      ({ file, line, message }) => `${file.slice(`${root}/tutorials/01-a/`.length)}:${line}: ${message}`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A block whose words the page may use. */
export const scale =
  "~~~console\n$ kubectl scale deployment app --replicas=3\ndeployment.apps/app scaled\n~~~\n";
