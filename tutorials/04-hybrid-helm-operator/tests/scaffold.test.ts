import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { findTool } from "@operator-path/tools";
import { expect, onTestFinished, test } from "vitest";

// `pnpm verify` compares the project with the result of the pages' commands and edits. This test needs no run of the
// pages, and fails as soon as a template changes without the project.

const committed = join(import.meta.dirname, "../memcached-operator");
/** The files that the pages change or make, and the README, which is the project's own. */
const edited = [
  "README.md",
  "api/v1/memcachedbackup.types.ts",
  "api/v1/zz_generated.resources.ts",
  "config/crd/bases/cache.my.domain_memcachedbackups.yaml",
  "config/manager/kustomization.yaml",
  "config/rbac/role.yaml",
  "config/samples/cache_v1_memcachedbackup.yaml",
  "config/samples/cache_v1alpha1_memcached.yaml",
  "helm-charts/memcached/Chart.yaml",
  "helm-charts/memcached/templates/NOTES.txt",
  "helm-charts/memcached/templates/deployment.yaml",
  "helm-charts/memcached/templates/service.yaml",
  "helm-charts/memcached/templates/tests/test-connection.yaml",
  "helm-charts/memcached/values.yaml",
  "watches.yaml",
];
/** Files in which the pages change a line or two, and functions that undo the change. */
const unedited: Readonly<Record<string, (text: string) => string>> = {
  Makefile: (text) => text.replace("docker.io/your-account/", "my.domain/"),
  "package.json": (text) => text.replace("@my.domain/", ""),
  "src/main.ts": (text) => text.replace(/.*memcachedReleases.*\n/g, ""),
};
const written = /^controllers\/(?!suite\.ts)/;

test("what no page edits is as operator-sdk scaffolds it", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "scaffold-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { path: helm } = await findTool("helm");
  const env = { ...process.env, HELM: helm };
  const run = async (line: string) => {
    let said = "";
    const tell = (text: string) => {
      said += text;
    };
    const code = await runOperatorSdk(line.split(" "), { cwd, env, stdout: tell, stderr: tell });
    expect(code, said).toBe(0);
  };
  await run(
    "init --plugins=hybrid.helm.sdk.operatorframework.io --project-version=3 --domain my.domain --repo github.com/example/memcached-operator --project-name memcached-operator",
  );
  await run(
    "create api --plugins helm.sdk.operatorframework.io/v1 --group cache --version v1alpha1 --kind Memcached",
  );
  await run(
    "create api --group=cache --version v1 --kind MemcachedBackup --resource --controller --plugins=go/v3",
  );
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
