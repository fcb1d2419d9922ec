import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEnvironment } from "../run/environment.ts";
import { installedStore } from "./pnpm-store.ts";
import { type PreparedProject, prepareProject } from "./prepare.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const project = "tutorials/01-podbuggertool/podbuggertool";
const manifest = () => JSON.parse(readFileSync(join(root, project, "package.json"), "utf8"));

let parent: string;
let prepared: PreparedProject | undefined;
beforeAll(async () => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), "project-test-")));
  // A HOME other than at the repository's install, where pnpm's own store is empty.
  vi.stubEnv("HOME", join(parent, "home"));
  vi.stubEnv("XDG_DATA_HOME", undefined);
  prepared = await prepareProject({ root, project, packages: join(parent, "packages") });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test("installs the packages as published, outside of the workspace and without network", () => {
  const { learner, env } = createEnvironment({
    parent,
    tools: new Map(),
    requires: ["pnpm"],
    project: "podbuggertool",
  });
  mkdirSync(learner, { recursive: true });
  writeFileSync(join(learner, "package.json"), JSON.stringify(manifest()));
  prepared?.sync(learner);
  // No server listens at this proxy, so each network request fails.
  const offline = { ...env, HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
  execFileSync("pnpm", ["install"], { cwd: learner, env: offline, stdio: "pipe" });
  const program =
    'import { createSharedInformer } from "@operator-path/informers"; import { createClient } from "@operator-path/client"; console.log(typeof createSharedInformer, typeof createClient)';
  writeFileSync(join(learner, "try.mjs"), program);
  expect(execFileSync("node", ["try.mjs"], { cwd: learner, env: offline, encoding: "utf8" })).toBe(
    "function function\n",
  );
  // The packages come from tarballs, without sources.
  expect(() => readFileSync(join(learner, "node_modules/@operator-path/informers/src/index.ts"))).toThrow(
    "ENOENT",
  );
});

test("installs a package.json with fewer packages, and rejects one with an unlocked package by name", () => {
  const folder = join(parent, "less");
  mkdirSync(folder);
  const write = (dependencies: Record<string, string>) =>
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "less", dependencies }));
  write({ "@operator-path/client": manifest().dependencies["@operator-path/client"] });
  prepared?.sync(folder);
  expect(readFileSync(join(folder, "pnpm-lock.yaml"), "utf8")).not.toContain("tsx@");
  write({ lodash: "^4.0.0" });
  expect(() => prepared?.sync(folder)).toThrow(
    `package.json asks for lodash, which ${project}/package.json does not have`,
  );
});

test("locks the packages of the project that a page starts from, until the page drops them", async () => {
  const later = "tutorials/01-podbuggertool/podbuggertool-on-controller-runtime";
  const packages = join(parent, "later-packages");
  const copied = await prepareProject({ root, project: later, startProject: project, packages });
  const folder = join(parent, "later");
  mkdirSync(folder);
  const locked = () => readFileSync(join(folder, "pnpm-lock.yaml"), "utf8");
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest()));
  copied?.sync(folder);
  expect(locked()).toContain("@kubernetes/client-node@");
  writeFileSync(join(folder, "package.json"), readFileSync(join(root, later, "package.json")));
  copied?.sync(folder);
  expect(locked()).not.toContain("@kubernetes/client-node@");
});

test("finds no store after the store was deleted, or without an install", async () => {
  const checkout = join(parent, "checkout");
  const storeDir = join(checkout, "store/v11");
  expect(await installedStore(checkout)).toBeUndefined();
  mkdirSync(join(checkout, "node_modules"), { recursive: true });
  writeFileSync(join(checkout, "node_modules/.modules.yaml"), `storeDir: ${storeDir}\n`);
  expect(await installedStore(checkout)).toBeUndefined();
  mkdirSync(storeDir, { recursive: true });
  expect(await installedStore(checkout)).toBe(join(checkout, "store"));
});
