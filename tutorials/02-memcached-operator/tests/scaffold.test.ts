import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { expect, onTestFinished, test } from "vitest";

// `pnpm verify` compares the project with what the pages' commands and edits make of an empty folder, in a minute. This takes
// no time, and says at once that a template has changed without it.

const committed = join(import.meta.dirname, "../memcached-operator");
/** What the pages change or make, and the README, which is the project's own. */
const edited = [
  "README.md",
  "api/v1alpha1/memcached.types.ts",
  "api/v1alpha1/zz_generated.resources.ts",
  "config/crd/bases/cache.example.com_memcacheds.yaml",
  "config/manager/kustomization.yaml",
  "config/rbac/role.yaml",
  "config/samples/cache_v1alpha1_memcached.yaml",
  "controllers/memcached.controller.test.ts",
  "controllers/memcached.controller.ts",
  "controllers/memcached.faults.test.ts",
  "controllers/memcached.watches.test.ts",
];

/** What the pages change in two lines: without that it is as scaffolded. */
const unedited: Readonly<Record<string, (text: string) => string>> = {
  Makefile: (text) =>
    text.replace("VERSION ?= 0.0.2", "VERSION ?= 0.0.1").replace("docker.io/your-account/", "example.com/"),
};

test("what no page edits is as operator-sdk scaffolds it", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "scaffold-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const run = (line: string) => {
    let said = "";
    const tell = (text: string) => {
      said += text;
    };
    return runOperatorSdk(line.split(" "), { cwd, stdout: tell, stderr: tell }).then((code) => {
      expect(code, said).toBe(0);
    });
  };
  await run(
    "init --domain example.com --repo github.com/example/memcached-operator --project-name memcached-operator",
  );
  await run("create api --group cache --version v1alpha1 --kind Memcached --resource --controller");
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
    .filter((file) => !edited.includes(file));
  return Object.fromEntries(
    files.sort().map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return [file, folder === committed ? (unedited[file]?.(text) ?? text) : text];
    }),
  );
}
