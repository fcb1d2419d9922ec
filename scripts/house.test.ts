import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { importCircles } from "./house/circle-rules.ts";
import { apiserverLayers, checkLayers } from "./house/layer-rules.ts";
import { checkLinks } from "./house/link-rules.ts";
import { checkModule } from "./house/module-rules.ts";
import { checkExports } from "./house/package-rules.ts";
import { type HousePackage, housePackages, placeOf } from "./house/packages.ts";
import { readModule } from "./house/source-module.ts";
import { checkLockfileHosts, checkMachinePaths } from "./house/text-rules.ts";

const root = join(import.meta.dirname, "..");
const packages = housePackages(root);
// Also what is not committed yet, but nothing that git ignores.
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
})
  .toString()
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const modules = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readModule(file, read(file)));

describe("the house", () => {
  it("has a package.json in every package that it knows", () => {
    expect(packages.map(({ name }) => name)).toContain("@operator-path/client");
    expect(packages.length).toBeGreaterThan(9);
  });

  it("gives no two packages the same folder name", () => {
    const folders = packages.map(({ folder }) => folder).filter((folder) => folder.startsWith("packages/"));
    const names = folders.map((folder) => posix.basename(folder));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("keeps the direction of imports, named exports, .ts endings, no process.exit in a library", () => {
    const problems = modules.flatMap((module) => {
      const own = owner(module.file);
      return own ? checkModule(module, own, packages) : [];
    });
    expect(problems).toEqual([]);
  });

  it("runs the slow tests of every package that has some", () => {
    const slow = files.filter((file) => file.endsWith(".slow.test.ts"));
    const forgotten = slow.filter((file) => {
      const folder = packages.find((own) => file.startsWith(`${own.folder}/`))?.folder ?? "";
      return !/"test:slow"/.test(read(`${folder}/package.json`));
    });
    expect(forgotten).toEqual([]);
  });

  it("has no import circles", () => {
    expect(importCircles(modules)).toEqual([]);
  });

  it("keeps the layers of the API server", () => {
    const own = modules.filter(({ file }) => file.startsWith(`${apiserverLayers.sources}/`));
    expect(own.length).toBeGreaterThan(300);
    expect(checkLayers(own, apiserverLayers)).toEqual([]);
  });

  it("exports only an index and named subpaths", () => {
    expect(packages.flatMap((own) => checkExports(own, root))).toEqual([]);
  });

  it("names no registry host in the lockfile, no folder of this machine anywhere", () => {
    expect(checkLockfileHosts("pnpm-lock.yaml", read("pnpm-lock.yaml"))).toEqual([]);
    const machine = { folders: [root, homedir()].filter((folder) => folder.length > 1) };
    const texts = files.filter((file) => !/\.(gz|br|zst|png|svg|ico)$/.test(file));
    expect(texts.flatMap((file) => checkMachinePaths(file, read(file), machine))).toEqual([]);
  });

  it("links to nothing that is not there", () => {
    const repository = { files: new Set(files), read };
    const pages = files.filter((file) => file.endsWith(".md"));
    expect(pages).toContain("README.md");
    expect(pages.flatMap((file) => checkLinks(file, repository))).toEqual([]);
  });
});

function owner(file: string): HousePackage | undefined {
  return packages
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

describe("the rules themselves", () => {
  const make = (name: string, folder: string, dependencies: string[] = []): HousePackage => ({
    name: `@operator-path/${name}`,
    folder,
    place: placeOf(folder),
    manifest: {
      name: `@operator-path/${name}`,
      exports: { ".": "./src/index.ts" },
      dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, "workspace:^"])),
    },
  });
  const client = make("client", "packages/sdk/client", ["@operator-path/informers"]);
  const informers = make("informers", "packages/sdk/informers", ["@operator-path/client"]);
  const cluster = make("cluster", "packages/cluster/cluster", ["@operator-path/informers"]);
  const tutorial = make("podbuggertool", "tutorials/01/podbuggertool", ["@operator-path/cluster"]);
  const check = (own: HousePackage, text: string, file = "src/some.ts"): string[] =>
    checkModule(readModule(`${own.folder}/${file}`, text), own, [client, informers, cluster, tutorial]);

  it.each([
    ["to the left", informers, 'import { createClient } from "@operator-path/client";'],
    ["down", cluster, 'import type { Lister } from "@operator-path/informers";'],
    [
      "its own files",
      client,
      'export { get } from "./rest/get.ts";\nimport data from "../data.json" with { type: "json" };',
    ],
    ["Node", client, 'import { join, posix } from "node:path";'],
    [
      "in a comment",
      client,
      '// import "@operator-path/cluster";\nconst text = \'process.exit(1); export * from "x"\';',
    ],
  ])("allow imports %s", (_name, own, text) => {
    expect(check(own, text)).toEqual([]);
  });

  it.each([
    ["to the right", client, 'import { x } from "@operator-path/informers";', "imports point down or left"],
    ["up", informers, '\nexport { x } from "@operator-path/cluster";', "informers/src/some.ts:2 imports"],
    ["up, lazily", informers, 'await import("@operator-path/cluster");', "imports point down or left"],
    [
      "up, for a type",
      informers,
      'type X = import("@operator-path/cluster").X;',
      "imports point down or left",
    ],
    [
      "of the cluster wing in a tutorial",
      tutorial,
      'import "@operator-path/cluster";',
      "imports point down or left",
    ],
    ["past the index", cluster, 'import "@operator-path/informers/src/store.ts";', "does not export"],
    ["across folders", cluster, 'import "../../../sdk/client/src/index.ts";', "use the other package's name"],
    ["without an ending", client, 'import "./get";', "relative imports end in .ts"],
    ["of a .js", client, 'import "./get.js";', "relative imports end in .ts"],
    ["that are not declared", client, 'import pino from "pino";', "not in its dependencies"],
    ["of a bare builtin", client, 'import { join } from "path";', "write node:path"],
    ["export *", client, 'export * from "./get.ts";', "export *"],
    ["process.exit", client, "if (x) process.exit(1);", "process.exit in a library"],
  ])("catch imports %s", (_name, own, text, problem) => {
    expect(check(own, text).join("\n")).toContain(problem);
  });

  it("let tests look up, and a command's main.ts exit", () => {
    expect(check(client, 'import { x } from "@operator-path/cluster";', "src/some.test.ts")).toEqual([]);
    expect(check(client, "process.exit(1);", "src/main.ts")).toEqual([]);
  });

  it("catch an exports map that opens the package", () => {
    const open = {
      ...client,
      manifest: { ...client.manifest, exports: { ".": "./src/main.ts", "./*": "./src/*" } },
    };
    expect(checkExports(open, root)).toEqual([
      'packages/sdk/client/package.json exports["."] does not lead to ./src/index.ts',
      'packages/sdk/client/package.json exports["./*"] is not a named subpath',
    ]);
  });

  it("catch hosts in the lockfile, and paths of the machine", () => {
    expect(checkLockfileHosts("lock", "a: 1\ntarball: https://npm.example.com/a.tgz")).toHaveLength(1);
    const machine = { folders: ["/me"] };
    expect(checkMachinePaths("a", 'cd "/me/x"', machine)).toHaveLength(1);
    expect(checkMachinePaths("a", "ls /proc/1/me/etc and /meadow/x", machine)).toEqual([]);
  });

  it("catch links that lead nowhere: to a file, a folder, a heading", () => {
    const texts = new Map([
      [
        "docs/a.md",
        "# The `a` file\n\n## Twice\n\n## Twice\n\n[one](b.md) [two](gone.md)\nand [three](../src) [four](../dist/)\n" +
          "[five](#twice-1) [six](#twice-2) [seven](b.md#here) [eight](b.md#there) [nine](https://example.com/x)\n\n" +
          "`[ten](nowhere)` ![eleven](a.png) [twelve](..) [thirteen][ref]\n\n[ref]: nowhere.md\n\n```\n[in](code)\n```\n",
      ],
      ["docs/b.md", "# Here\n"],
      ["src/main.ts", ""],
    ]);
    const repository = { files: new Set(texts.keys()), read: (file: string) => texts.get(file) ?? "" };
    expect(checkLinks("docs/a.md", repository)).toEqual([
      "docs/a.md:7 links to gone.md, which is not there",
      "docs/a.md:8 links to ../dist/, which is not there",
      "docs/a.md:9 links to #twice-2, which is not there",
      "docs/a.md:9 links to b.md#there, which is not there",
      "docs/a.md:11 links to a.png, which is not there",
      "docs/a.md:11 links to nowhere.md, which is not there",
    ]);
  });
});
