import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { execa } from "execa";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { buildSite, type SiteContents } from "./src/site/build-site.ts";
import { checkPages } from "./src/site/check-pages.ts";
import { readContents } from "./src/site/contents.ts";

const root = join(import.meta.dirname, "..");
const temporary: string[] = [];
afterAll(() => {
  for (const folder of temporary) rmSync(folder, { recursive: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  temporary.push(folder);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("the project's site", () => {
  const out = newFolder();
  const read = (page: string) => readFileSync(join(out, page), "utf8");
  const contents = readContents(root);

  // One program over all packages takes most of a minute on a busy machine.
  test("has no undocumented symbol, hidden type, broken link or outside asset", {
    timeout: 300_000,
  }, async () => {
    expect(await buildSite({ ...contents, root, out })).toEqual([]);
  });

  test("has a page for each package of the sdk wing and the cluster, which begins with its README", () => {
    const folders = [
      ...readdirSync(join(root, "packages/sdk")).map((name) => `sdk/${name}`),
      "cluster/cluster",
    ];
    expect(folders.length).toBeGreaterThan(5);
    for (const folder of folders) {
      const page = read(`reference/${folder.split("/")[1]}.html`);
      const heading = /^## (.+)/m.exec(
        readFileSync(join(root, "packages", folder, "README.md"), "utf8"),
      )?.[1];
      expect(page, folder).toContain(`Module @operator-path/${folder.split("/")[1]}`);
      if (heading !== undefined) expect(page, folder).toContain(`>${heading.replaceAll("'", "&#39;")}<`);
    }
  });

  test("links the home page to every package and page", () => {
    const pages = Object.values(contents.pages).flat();
    for (const file of pages)
      expect(read("index.html")).toMatch(new RegExp(`href="[a-z]+/${nameOf(file)}.html"`));
    for (const folder of contents.packages)
      expect(read("index.html")).toContain(`href="reference/${nameOf(folder)}.html"`);
  });

  test("has the words of Kubernetes for a built-in type", () => {
    expect(read("reference/client/types/DeploymentSpec.html")).toContain("Number of desired pods.");
  });

  test("links a type of another package to the page of that package", () => {
    expect(read("reference/controller-runtime/createManager.html")).toContain(
      'href="../client/KubeConfig.html"',
    );
  });
});

test("the operator of the home page gives Namespaces a ConfigMap, and restores it", async () => {
  const home = readFileSync(join(root, "scripts/src/site/home.md"), "utf8");
  const [, example = ""] = /<!-- runs in scripts\/site.slow.test.ts -->\n```ts\n(.*?)```/s.exec(home) ?? [];
  const cluster = await startEmbeddedCluster();
  onTestFinished(() => cluster.stop());
  const kubectl = async (...args: string[]) =>
    (await execa("kubectl", args, { env: { KUBECONFIG: cluster.kubeconfigPath }, reject: false })).stdout;
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    {
      cwd: join(root, "packages/sdk/controller-runtime"),
      env: { ...process.env, KUBECONFIG: cluster.kubeconfigPath },
      stdio: "ignore",
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise((resolve) => child.on("close", (...how) => resolve(how)));
  const registry = () => kubectl("get", "configmap", "defaults", "-o", "jsonpath={.data.registry}");
  const until = (check: () => Promise<void>) => vi.waitFor(check);
  await until(async () => expect(await registry()).toBe("registry.example.com"));
  await kubectl("patch", "configmap", "defaults", "-p", '{"data":{"registry":"elsewhere.example.com"}}');
  await until(async () => expect(await registry()).toBe("registry.example.com"));
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

describe("a site", () => {
  const tidy = {
    "tsconfig.base.json": '{ "compilerOptions": { "module": "NodeNext", "types": [] } }',
    "package.json": "{}",
    "home.md": "# Home\n",
    "docs/a.md":
      "# A\n\nSee [b](b.md#second), [the package](../toy/README.md) and [its source](../toy/index.ts).\n",
    "docs/b.md": "# B\n\n## Second\n",
    "toy/README.md": "# toy\n\nBack to [a](../docs/a.md).\n",
    "toy/package.json": JSON.stringify({
      ...{ name: "toy", version: "1.0.0", description: "A toy." },
      exports: {
        ".": { "@operator-path/source": "./index.ts" },
        "./more": { "@operator-path/source": "./more.ts" },
        "./package.json": "./package.json",
      },
    }),
    "toy/more.ts": "/** Is more. */\nexport const more = 1;\n",
    "toy/index.ts":
      "/** Plays, see {@link stop}. */\nexport function play(): void {}\n/** Stops. */\nexport function stop(): void {}\n",
  };
  const contents: SiteContents = {
    ...{
      home: "home.md",
      pages: { Guides: ["docs/a.md", "docs/b.md"] },
      packages: ["toy"],
      exemptions: { undocumented: [], hidden: {} },
    },
  };
  const build = async (files: Readonly<Record<string, string>>, changes: Partial<SiteContents> = {}) => {
    const folder = newFolder();
    write(folder, { ...tidy, ...files });
    const problems = await buildSite({ ...contents, ...changes, root: folder, out: join(folder, "site") });
    return { problems: problems.join("\n"), site: join(folder, "site") };
  };

  test("links pages and packages, and turns links to sources into plain text", async () => {
    const { problems, site } = await build({});
    expect(problems).toBe("");
    const page = readFileSync(join(site, "guides/a.html"), "utf8");
    expect(page).toContain('<a href="b.html#second">b</a>');
    expect(page).toContain('<a href="../reference/toy.html">the package</a>');
    expect(page).toContain("and its source.");
    expect(existsSync(join(site, "media"))).toBe(false);
  });

  test("links to sources in the repository when package.json names a public one", async () => {
    const repository = { type: "git", url: "git+https://git.example.com/owner/toys.git" };
    const { problems, site } = await build({ "package.json": JSON.stringify({ repository }) });
    expect(problems).toBe("");
    expect(readFileSync(join(site, "guides/a.html"), "utf8")).toContain(
      '<a href="https://git.example.com/owner/toys/blob/HEAD/toy/index.ts">its source</a>',
    );
  });

  test.each([
    [
      "a symbol without a docstring",
      "export const x = 1;\n",
      "toy.x (Variable), defined in toy/index.ts, does not have",
    ],
    [
      "a public type that is not exported",
      "interface Hidden {\n  a: 1;\n}\n/** Gets. */\nexport const get = (): Hidden => ({ a: 1 });\n",
      "Hidden, defined in toy/index.ts, is referenced by toy.get but not included in the documentation",
    ],
    [
      "a {@link} to nothing",
      "/** See {@link gone}. */\nexport const x = 1;\n",
      'Failed to resolve link to "gone"',
    ],
  ])("reports %s", async (_what, source, problem) => {
    expect((await build({ "toy/index.ts": source })).problems).toContain(problem);
  });

  test.each([
    [
      "to a file that does not exist",
      "[x](gone.md)",
      "docs/a.md links to docs/gone.md, which does not exist",
    ],
    [
      "to a heading that does not exist",
      "[x](b.md#gone)",
      "guides/a.html links to b.html#gone, which does not exist",
    ],
    [
      "to a source by a reference",
      "[x][y]\n\n[y]: ../toy/package.json",
      "a page links to toy/package.json, which is not a page",
    ],
    [
      "to an image outside",
      "![x](https://example.com/x.png)",
      "guides/a.html loads https://example.com/x.png",
    ],
  ])("reports a link %s", async (_where, link, problem) => {
    expect((await build({ "docs/a.md": `# A\n\n${link}\n` })).problems).toContain(problem);
  });

  test("reports an exemption that is no longer needed", async () => {
    const exemptions = { undocumented: ["toy.play"], hidden: { toy: ["Hidden"] } };
    const { problems } = await build({}, { exemptions });
    expect(problems).toContain("toy.play");
    expect(problems).toContain("Hidden");
  });
});

test("finds links, anchors and assets that are not there", () => {
  const folder = newFolder();
  write(folder, {
    "index.html":
      '<h1 id="top">A</h1><a href="b/c.html#x">c</a><a href="gone.html">d</a><a href="#top">e</a>',
    "b/c.html":
      '<a href="../index.html#bottom">up</a><img src="gone.png"/><script src="//cdn.example.com/x.js"></script>',
  });
  expect(checkPages(folder).toSorted()).toEqual([
    "b/c.html links to ../index.html#bottom, which does not exist",
    "b/c.html links to gone.png, which does not exist",
    "b/c.html loads //cdn.example.com/x.js from outside",
    "index.html links to b/c.html#x, which does not exist",
    "index.html links to gone.html, which does not exist",
  ]);
});

function nameOf(file: string): string {
  return file.replace(/^.*\/(?=[^/]+$)/, "").replace(/\.md$/, "");
}
