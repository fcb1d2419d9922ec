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
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOperator } from "./create-operator.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "create-operator-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function create(...args: string[]) {
  let [stdout, stderr] = ["", ""];
  const code = await createOperator(args, {
    cwd,
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
const read = (path: string): string => readFileSync(join(cwd, path), "utf8");

test("starts a project in a new folder, with the flags of init", async () => {
  const { code, stdout, stderr } = await create("made/shop", "--domain", "acme.io");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/\n\$ cd made\/shop\n\$ npm install\n\$ npx operator-sdk create api\n$/);
  expect(read("made/shop/PROJECT")).toMatch(/^domain: acme\.io\n(.*\n)*projectName: shop\n/m);
  expect(JSON.parse(read("made/shop/package.json"))).not.toHaveProperty("overrides");
});

test("starts a project in the current folder when none is named", async () => {
  const { code, stdout } = await create("--project-name=shop");
  expect(code).toBe(0);
  expect(stdout).not.toContain("$ cd");
  expect(read("PROJECT")).toContain("projectName: shop\n");
});

test("copies tarballs into the project, where npm and pnpm find them", async () => {
  mkdirSync(join(cwd, "dist"));
  for (const name of ["client", "controller-runtime", "tools"])
    writeFileSync(join(cwd, `dist/operator-path-${name}-1.2.3.tgz`), name);
  for (const args of [["--tarballs", "dist"], ["--tarballs=dist"]]) {
    expect(await create("shop", "--domain", "acme.io", ...args)).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(cwd, "shop/vendor"))).toEqual([
      "client.tgz",
      "controller-runtime.tgz",
      "tools.tgz",
    ]);
    const { dependencies, devDependencies, overrides } = JSON.parse(read("shop/package.json"));
    expect(dependencies["@operator-path/client"]).toBe("file:vendor/client.tgz");
    expect(devDependencies["@operator-path/cluster"]).toMatch(/^\^/);
    expect(overrides).toEqual({
      "@operator-path/client": "$@operator-path/client",
      "@operator-path/controller-runtime": "$@operator-path/controller-runtime",
      "@operator-path/tools": "file:vendor/tools.tgz",
    });
    expect(read("shop/pnpm-workspace.yaml")).toContain(
      '\noverrides:\n  "@operator-path/client": file:vendor/client.tgz\n',
    );
    rmSync(join(cwd, "shop"), { recursive: true });
  }
});

test.each([
  ["a flag that init does not have", ["made/shop", "--colour"], /^Error: unknown flag: --colour|--colour/],
  ["a domain that init refuses", ["made/shop", "--domain", "Acme_io"], /"Acme_io"/],
  ["a folder with something in it", ["full"], /^Error: full is not empty: name a new folder\n$/],
  ["a path below a file", ["full/file/shop"], /^Error: full\/file\/shop cannot be created: ENOTDIR/],
  [
    "tarballs in no folder",
    ["made/shop", "--tarballs"],
    /^Error: --tarballs has no value \(expected a folder\)\n$/,
  ],
  [
    "tarballs in a missing folder",
    ["made/shop", "--tarballs", "x"],
    /^Error: --tarballs \S+x cannot be read: ENOENT/,
  ],
  ["tarballs in a folder without any", ["made/shop", "--tarballs=full"], /has no operator-path-….tgz/],
])("refuses %s in one line, and writes nothing", async (_, args, message) => {
  mkdirSync(join(cwd, "full"));
  writeFileSync(join(cwd, "full/file"), "mine");
  const { code, stderr } = await create(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr.split("\n")).toHaveLength(2);
  expect(existsSync(join(cwd, "made"))).toBe(false);
  expect(readdirSync(join(cwd, "full"))).toEqual(["file"]);
});

test("prints help", async () => {
  const { code, stdout } = await create("--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npm create @operator-path\/operator \[folder\] -- \[flags\]\n/);
});
