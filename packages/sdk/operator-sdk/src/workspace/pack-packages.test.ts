import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { expect, test } from "vitest";
import { openSmallCheckout } from "../testing/small-checkout.ts";
import { collectTarballs } from "./collect-tarballs.ts";
import { packPackages } from "./pack-packages.ts";
import { writeDist } from "./write-dist.ts";

const cacheOf = (root: string) => join(root, "node_modules/.cache/operator-path/packed");

/** Returns the command lines of this process's children on Linux. */
function childrenOfThisProcess(): string[] {
  const tasks = `/proc/${process.pid}/task`;
  if (!existsSync(tasks)) return [];
  return readdirSync(tasks)
    .flatMap((task) =>
      readFileSync(join(tasks, task, "children"), "utf8")
        .split(" ")
        .filter(Boolean),
    )
    .map((child) => readFileSync(`/proc/${child}/cmdline`, "utf8"));
}

async function pack(root: string) {
  let compiled = 0;
  const packed = await packPackages({ root, names: ["@small/top"], onCompile: () => compiled++ });
  const [base, top] = packed;
  if (!base || !top) throw new Error("two packages are packed");
  return { packed, base, top, compiled };
}

test("tarballs contain packages as they would be published, and run outside the workspace", async () => {
  using checkout = openSmallCheckout();
  const { packed } = await pack(checkout.root);
  expect(packed.map(({ name, version, importer, hasBin }) => [name, version, importer, hasBin])).toEqual([
    ["@small/base", "1.2.3", "packages/low/base", undefined],
    ["@small/top", "1.2.3", "packages/high/top", true],
  ]);
  const outside = join(checkout.root, "outside/node_modules");
  for (const { name, tarball } of packed) {
    const cwd = join(outside, name);
    mkdirSync(cwd, { recursive: true });
    await extract({ file: tarball, cwd, strip: 1 });
  }
  const manifest = (name: string) => JSON.parse(readFileSync(join(outside, name, "package.json"), "utf8"));
  expect(manifest("@small/base")).toEqual({
    ...{ name: "@small/base", version: "1.2.3", type: "module", files: ["bin", "dist"] },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./testing": { types: "./dist/testing/index.d.ts", default: "./dist/testing/index.js" },
    },
    dependencies: { yaml: "2.9.1" },
    keywords: ["small"],
  });
  expect(manifest("@small/top").dependencies).toEqual({ "@small/base": "^1.2.3" });
  expect(readdirSync(join(outside, "@small/base/dist"), { recursive: true }).sort()).toEqual([
    ...["index.d.ts", "index.js", "testing", "testing/index.d.ts", "testing/index.js"],
  ]);
  expect(readdirSync(join(outside, "@small/top"), { recursive: true }).sort()).toEqual([
    ...["LICENSE", "bin", "bin/top.js", "dist", "dist/index.d.ts", "dist/index.js"],
    ...["dist/more.d.ts", "dist/more.js", "package.json"],
  ]);
  const program = 'import { top } from "@small/top"; console.log(top);';
  const run = ["--conditions=@operator-path/source", "--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, run, { cwd: join(checkout.root, "outside"), encoding: "utf8" })).toBe(
    "3\n",
  );
});

test("a bundled package has one file for each entry point, and one copy of what they share", async () => {
  using checkout = openSmallCheckout();
  const { root, write } = checkout;
  const manifest = JSON.parse(readFileSync(join(root, "packages/low/base/package.json"), "utf8"));
  write("packages/low/base/package.json", {
    ...manifest,
    "operator-path": { bundle: ["./dist/preload.js"] },
  });
  const source = (name: string, text: string) => write(`packages/low/base/src/${name}`, text);
  source("deep/shared.ts", "export class Shared {}\n");
  source("deep/own.ts", 'export const later = () => import("../late.ts");\n');
  source("late.ts", 'export const late: string = import.meta.url.split("/").at(-2) ?? "";\n');
  source(
    "index.ts",
    'export * from "./deep/shared.ts"; export * from "./deep/own.ts"; export const base: number = 1;\n',
  );
  source("testing/index.ts", 'export * from "../deep/shared.ts";\n');
  source("preload.ts", 'import { parse } from "yaml"; console.log(parse("loaded"));\n');
  const { base } = await pack(root);
  // A service would run as long as this process: during a learner's whole session.
  expect(childrenOfThisProcess()).not.toContainEqual(expect.stringContaining("esbuild"));
  const cwd = join(root, "outside/node_modules/@small/base");
  mkdirSync(cwd, { recursive: true });
  await extract({ file: base.tarball, cwd, strip: 1 });
  const files = (readdirSync(join(cwd, "dist"), { recursive: true }) as string[]).sort();
  expect(files.filter((name) => name.endsWith(".js") && !name.startsWith("chunks/"))).toEqual([
    ...["index.js", "preload.js", "testing/index.js"],
  ]);
  expect(files).toContain("deep/shared.d.ts");
  expect(readFileSync(join(cwd, "dist/preload.js"), "utf8")).toContain('from "yaml"');
  expect(JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))).not.toHaveProperty("operator-path");
  const program = `import { base, later, Shared } from "@small/base"; import * as testing from "@small/base/testing";
    console.log(base, testing.Shared === Shared, (await later()).late);`;
  const run = ["--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, run, { cwd: join(root, "outside"), encoding: "utf8" })).toBe(
    "1 true chunks\n",
  );
});

test("a package's script writes its page for the browser", async () => {
  using checkout = openSmallCheckout();
  const { root, write } = checkout;
  const manifest = JSON.parse(readFileSync(join(root, "packages/low/base/package.json"), "utf8"));
  write("packages/low/base/package.json", {
    ...manifest,
    exports: { ...manifest.exports, "./web": { "@operator-path/source": "./src/web/index.ts" } },
    "operator-path": { web: "./scripts/page.ts" },
  });
  write("packages/low/base/src/web/index.ts", "export const browser: number = 1;\n");
  const page = (text: string) =>
    `import { mkdirSync, writeFileSync } from "node:fs";
     const folder: string = process.argv[2] ?? "";
     mkdirSync(folder);
     writeFileSync(folder + "/page.js", "${text}");`;
  write("packages/low/base/scripts/page.ts", page("one"));
  const packedPage = async () => {
    const { base } = await pack(root);
    const cwd = mkdtempSync(join(root, "outside-"));
    await extract({ file: base.tarball, cwd, strip: 1 });
    const { exports } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    return [readFileSync(join(cwd, "dist/web/page.js"), "utf8"), readdirSync(join(cwd, "dist/web")), exports];
  };
  expect(await packedPage()).toEqual(["one", ["page.js"], expect.not.objectContaining({ "./web": {} })]);
  write("packages/low/base/scripts/page.ts", page("two"));
  expect((await packedPage())[0]).toBe("two");
  write("packages/low/base/scripts/page.ts", 'throw new Error("no page");');
  await expect(pack(root)).rejects.toThrow(/the page of @small\/base cannot be built:[\s\S]*no page/);
});

test("the root package.json sets the repository of the packages, and pages link there", async () => {
  using checkout = openSmallCheckout();
  const { root, write } = checkout;
  const readme = (text: string) => write("packages/high/top/README.md", text);
  const packedTop = async () => {
    const { top } = await pack(root);
    const cwd = mkdtempSync(join(root, "outside-"));
    await extract({ file: top.tarball, cwd, strip: 1 });
    const text = (name: string) => readFileSync(join(cwd, name), "utf8");
    return { manifest: JSON.parse(text("package.json")), readme: text("README.md") };
  };
  readme("[base](../../low/base/src/index.ts), [bin](bin/top.js)\n");
  const before = await packedTop();
  expect(before.readme).toBe("base, [bin](bin/top.js)\n");
  for (const field of ["repository", "bugs", "homepage"]) expect(before.manifest).not.toHaveProperty(field);

  const origin = {
    homepage: "https://example.com/operators#readme",
    bugs: { url: "https://github.com/example/operators/issues" },
    repository: { type: "git", url: "git+https://github.com/example/operators.git" },
  };
  write("package.json", { name: "small", private: true, ...origin });
  const after = await packedTop();
  expect(after.manifest).toMatchObject({
    ...origin,
    repository: { ...origin.repository, directory: "packages/high/top" },
  });
  expect(after.readme).toBe(
    "[base](https://github.com/example/operators/blob/HEAD/packages/low/base/src/index.ts), [bin](bin/top.js)\n",
  );
  write("package.json", { repository: { type: "git", url: "github.com/example/operators" } });
  await expect(pack(root)).rejects.toThrow(
    "repository.url of package.json is github.com/example/operators (expected git+https://host/owner/name.git)",
  );
});

test("a folder of tarballs contains only those of this version, with the names of npm pack", async () => {
  using checkout = openSmallCheckout();
  const folder = join(checkout.root, "dist");
  mkdirSync(folder);
  for (const name of ["small-top-1.2.2.tgz", "notes.txt"]) checkout.write(join("dist", name), "old");
  const { packed } = await pack(checkout.root);
  const collected = await collectTarballs(packed, folder);
  expect(collected).toEqual(
    ["small-base-1.2.3.tgz", "small-top-1.2.3.tgz"].map((name) => join(folder, name)),
  );
  expect(readdirSync(folder).sort()).toEqual(["notes.txt", "small-base-1.2.3.tgz", "small-top-1.2.3.tgz"]);
  expect(readFileSync(collected[1] ?? "")).toEqual(readFileSync(packed[1]?.tarball ?? ""));
});

test("updates the dist of packages for projects of the workspace, and leaves unchanged files alone", async () => {
  using checkout = openSmallCheckout();
  const { root } = checkout;
  await writeDist(root, (await pack(root)).packed);
  const program = 'import { top } from "@small/top"; console.log(top);';
  const run = () =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: root,
      encoding: "utf8",
    });
  expect(run()).toBe("3\n");
  const inode = (path: string) => statSync(join(root, path)).ino;
  const before = inode("packages/high/top/dist/index.js");
  checkout.write("packages/high/top/src/more.ts", "export const more: number = 5;\n");
  await writeDist(root, (await pack(root)).packed);
  expect(run()).toBe("6\n");
  expect(inode("packages/high/top/dist/index.js")).toBe(before);
  expect(readdirSync(join(root, "packages/high/top/dist")).sort()).toEqual([
    ...["index.d.ts", "index.js", "more.d.ts", "more.js"],
  ]);
});

test("does not compile again if nothing or only a test has changed", async () => {
  using checkout = openSmallCheckout();
  const first = await pack(checkout.root);
  expect(first.compiled).toBe(1);
  checkout.write("packages/high/top/src/more.test.ts", "this is not TypeScript either\n");
  const second = await pack(checkout.root);
  expect(second.compiled).toBe(0);
  expect(second.packed).toEqual(first.packed);
});

test("packs a changed package and its dependents, and keeps old tarballs for the projects that use them", async () => {
  using checkout = openSmallCheckout();
  const first = await pack(checkout.root);
  checkout.write("packages/high/top/src/more.ts", "export const more: number = 3;\n");
  const second = await pack(checkout.root);
  expect(second.compiled).toBe(1);
  expect(second.base.tarball).toBe(first.base.tarball);
  expect(second.top.integrity).not.toBe(first.top.integrity);
  checkout.write("packages/low/base/src/index.ts", "export const base: string = '1';\n");
  const third = await pack(checkout.root);
  expect(third.base.tarball).not.toBe(first.base.tarball);
  expect(third.top.tarball).not.toBe(second.top.tarball);
  expect(readdirSync(cacheOf(checkout.root))).toHaveLength(5);
});

test("packs sources that change during packing in their new state", async () => {
  using checkout = openSmallCheckout();
  const packed = await packPackages({
    ...{ root: checkout.root, names: ["@small/top"] },
    onCompile: () => checkout.write("packages/high/top/src/more.ts", "export const more: number = 7;\n"),
  });
  expect(await pack(checkout.root)).toMatchObject({ packed, compiled: 0 });
  expect(readdirSync(cacheOf(checkout.root))).toHaveLength(2);
});

test("packs the same sources to the same bytes, so an older lockfile still fits", async () => {
  using checkout = openSmallCheckout();
  const first = await pack(checkout.root);
  rmSync(cacheOf(checkout.root), { recursive: true });
  const again = await pack(checkout.root);
  expect(again.compiled).toBe(1);
  expect(again.packed).toEqual(first.packed);
});

test("removes the folder of a killed process after an hour", async () => {
  using checkout = openSmallCheckout();
  const cache = cacheOf(checkout.root);
  for (const name of ["packing-old", "packing-young"]) mkdirSync(join(cache, name), { recursive: true });
  const before = Date.now() / 1000 - 3700;
  utimesSync(join(cache, "packing-old"), before, before);
  await pack(checkout.root);
  expect(readdirSync(cache).filter((name) => !name.endsWith(".tgz"))).toEqual(["packing-young"]);
});

test("reports compilation errors with their place, leaves no files, and names an unknown package", async () => {
  using checkout = openSmallCheckout();
  checkout.write("packages/high/top/src/more.ts", "export const more: number = ;\n");
  await expect(pack(checkout.root)).rejects.toThrow(
    /do not compile:\npackages\/high\/top\/src\/more\.ts\(1,\d+\): error/,
  );
  expect(readdirSync(cacheOf(checkout.root))).toEqual([]);
  await expect(packPackages({ root: checkout.root, names: ["@small/none"] })).rejects.toThrow(
    `@small/none is not a package of ${checkout.root}: check its name`,
  );
});
