import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { expect, onTestFinished, test } from "vitest";

// `pnpm verify` compares the project with the result of the page. This test takes no time, and notices at once that a
// template has changed without the project.

const committed = join(import.meta.dirname, "../website-operator");
/** What the page edits, writes or deletes, what its commands generate, and files of pnpm. */
const edited = [
  "README.md",
  "api/v1/website.types.ts",
  "api/v1/zz_generated.resources.ts",
  "capstone.yaml",
  "config/crd/bases/web.example.com_websites.yaml",
  "config/rbac/role.yaml",
  "config/samples/web_v1_website.yaml",
  "controllers/checklist.test.ts",
  "controllers/objects.ts",
  "controllers/status.ts",
  "controllers/website.controller.test.ts",
  "controllers/website.controller.ts",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
];

test("the page's unedited files equal those that operator-sdk scaffolds", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "scaffold-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const run = async (line: string) => {
    let said = "";
    const tell = (text: string) => {
      said += text;
    };
    const code = await runOperatorSdk(line.split(" "), { cwd, stdout: tell, stderr: tell });
    expect(code, said).toBe(0);
  };
  await run(
    "init --domain example.com --repo github.com/your-account/website-operator --project-name website-operator",
  );
  await run("create api --group web --version v1 --kind Website --resource --controller");
  expect(filesOf(committed)).toEqual(filesOf(cwd));
});

function filesOf(folder: string): Record<string, string> {
  const names = globSync("{*,.*,{api,config,controllers,hack,src,test,.github}/**}", { cwd: folder })
    .filter((name) => !edited.includes(name) && statSync(join(folder, name)).isFile())
    .sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
