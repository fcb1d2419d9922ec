import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { expect, onTestFinished, test } from "vitest";

// `pnpm verify` compares the project with what the pages make of an empty folder, and takes a minute. This test takes
// no time, and fails as soon as a template has changed without the project.

const committed = join(import.meta.dirname, "../memcached-operator");
/** The files that the pages change or add, the tests of the exercises, and the project's own README. */
const edited = [
  "README.md",
  "api/v1alpha1/memcached.types.ts",
  "api/v1alpha1/zz_generated.resources.ts",
  "config/crd/bases/cache.example.com_memcacheds.yaml",
  "config/manager/kustomization.yaml",
  "config/rbac/role.yaml",
  "config/samples/cache_v1alpha1_memcached.yaml",
  "api/v1alpha1/memcached.types.test.ts",
  "controllers/deployment.ts",
  "controllers/memcached.account.test.ts",
  "controllers/memcached.controller.test.ts",
  "controllers/memcached.controller.ts",
  "controllers/memcached.deployment.test.ts",
  "controllers/memcached.faults.test.ts",
  "controllers/memcached.fetch.test.ts",
  "controllers/memcached.permissions.test.ts",
  "controllers/memcached.watches.test.ts",
];

/** The files that the pages change in a few lines only, with functions that undo the changes. */
const unedited: Readonly<Record<string, (text: string) => string>> = {
  Makefile: (text) =>
    text.replace("VERSION ?= 0.0.2", "VERSION ?= 0.0.1").replace("docker.io/your-account/", "example.com/"),
};

test("all other files are as operator-sdk scaffolds them", async () => {
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
  // The committed project is in a workspace, so it has no pnpm settings of its own.
  rmSync(join(cwd, "pnpm-workspace.yaml"));
  expect(filesOf(committed)).toEqual(filesOf(cwd));
});

function filesOf(folder: string): Record<string, string> {
  const ignored = ["node_modules", "dist", ".turbo"];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignored.includes(name))
    .flatMap((top) =>
      // Reading recursively from the top would follow the links of node_modules.
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
