import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { expect, onTestFinished, test } from "vitest";

// `pnpm verify` makes the same comparison, in a run of all pages. This test takes no time.

const committed = join(import.meta.dirname, "../nginx-operator");
/** Files that the pages change or generate, and the project's own README. */
const edited = [
  "README.md",
  "api/v1/ovhnginx.types.test.ts",
  "api/v1/ovhnginx.types.ts",
  "api/v1/zz_generated.resources.ts",
  "config/crd/bases/tutorials.ovhcloud.com_ovhnginxes.yaml",
  "config/rbac/role.yaml",
  "config/samples/tutorials_v1_ovhnginx.yaml",
];
/** Files in which the pages change a line. Without it they are as scaffolded. */
const unedited: Readonly<Record<string, (text: string) => string>> = {
  "src/main.ts": (text) =>
    text
      .replace('import { folderZone } from "../controllers/zone.ts";\n', "")
      .replace(', folderZone(process.env.ZONE ?? "zone")', ""),
};
const written = /^controllers\/(?!suite\.ts)/;

test("files that no page edits are as operator-sdk scaffolds them", async () => {
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
    "init --domain ovhcloud.com --repo github.com/lostinbrittany/nginx-operator --project-name nginx-operator",
  );
  await run("create api --group tutorials --version v1 --kind OvhNginx --resource --controller");
  // pnpm's settings of a folder of its own: this one is in a workspace.
  rmSync(join(cwd, "pnpm-workspace.yaml"));
  expect(filesOf(committed)).toEqual(filesOf(cwd));
});

function filesOf(folder: string): Record<string, string> {
  const ignored = ["node_modules", "dist", ".turbo"];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignored.includes(name))
    .flatMap((top) =>
      // Not from the top on: it would follow the links of node_modules.
      top.isFile() ? top : readdirSync(join(folder, top.name), { recursive: true, withFileTypes: true }),
    )
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !edited.includes(file) && !written.test(file));
  const as = (file: string, text: string) => (folder === committed ? (unedited[file]?.(text) ?? text) : text);
  return Object.fromEntries(
    files.sort().map((file) => [file, as(file, readFileSync(join(folder, file), "utf8"))]),
  );
}
