import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot as root } from "../repository.ts";
import { hasPnpm, skippedWithoutPnpm } from "../testing/pnpm.ts";
import { copyStage } from "./copy.ts";
import { initialiseGit } from "./git.ts";
import type { IdentityFlags } from "./identity.ts";

let parent: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), "copy-test-")));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const names = { domain: "acme.io", group: "storage", kind: "CacheCluster" };

async function copy(
  stage: string,
  folder: string,
  flags: IdentityFlags = {},
  cwd = parent,
): Promise<string[]> {
  const said: string[] = [];
  const { signal } = new AbortController();
  await copyStage(stage, folder, flags, { root, cwd, signal, say: (line) => void said.push(line) });
  return said;
}

interface SharedCopy {
  readonly parent: string;
  readonly said: readonly string[];
}

const shared = new Map<string, Promise<SharedCopy>>();
afterAll(async () => {
  for (const { parent } of await Promise.all(shared.values())) await rm(parent, { recursive: true });
});

/** Returns a copy for tests that only read it. Tests that ask for the same copy share it. */
function sharedCopy(stage: string, folder: string, flags: IdentityFlags = {}): Promise<SharedCopy> {
  const key = JSON.stringify([stage, folder, flags]);
  const known = shared.get(key);
  if (known) return known;
  const making = (async () => {
    const parent = await realpath(await mkdtemp(join(tmpdir(), "copy-shared-")));
    return { parent, said: await copy(stage, folder, flags, parent) };
  })();
  shared.set(key, making);
  return making;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
}

describe("a copy", () => {
  it.each([
    "02-memcached-operator",
    "01-podbuggertool",
    "01-podbuggertool/2",
    "01-podbuggertool/1@a-resource-of-your-own",
  ])("of %s has no trace of the old names, and only what it needs", async (stage) => {
    const { parent } = await sharedCopy(stage, "my-operator", names);
    const folder = join(parent, "my-operator");
    const files = await filesOf(folder);
    const traces = /memcached|podbugger|podbtool|\bpbt\b|ualter|example\.com|github\.com\/example/i;
    for (const path of files) {
      expect(path).not.toMatch(traces);
      if (path === "LICENSE" || path.startsWith("vendor/")) continue;
      const lines = (await readFile(join(folder, path), "utf8")).split("\n");
      expect(lines.filter((line) => traces.test(line) || line.includes(root))).toEqual([]);
    }
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", ".gitignore"]));
    expect(files.filter((path) => /node_modules|dist\//.test(path))).toEqual([]);
    expect(await readdir(parent)).toEqual(["my-operator"]);
  });

  it.skipIf(!hasPnpm).each(["04-hybrid-helm-operator/1", "04-hybrid-helm-operator"])(
    `of %s has its chart as it is, under the new group and domain, and keeps its kinds${skippedWithoutPnpm}`,
    async (stage) => {
      const { kind, ...others } = names;
      await expect(copy(stage, "my-operator", { ...others, kind })).rejects.toThrow("leave --kind out");
      expect(await readdir(parent)).toEqual([]);
      await copy(stage, "my-operator", others);
      const folder = join(parent, "my-operator");
      expect(await readFile(join(folder, "watches.yaml"), "utf8")).toContain(
        "- group: storage.acme.io\n  version: v1alpha1\n  kind: Memcached\n  chart: helm-charts/memcached\n",
      );
      const template = "helm-charts/memcached/templates/service.yaml";
      expect(await readFile(join(folder, template), "utf8")).toEqual(
        await readFile(join(root, "tutorials/04-hybrid-helm-operator/memcached-operator", template), "utf8"),
      );
      const files = (await filesOf(folder)).filter((path) => !path.startsWith("vendor/"));
      const texts = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
      const traces = /my\.domain|memcached-operator|github\.com\/example/;
      expect(files.filter((path, at) => traces.test(path) || traces.test(texts[at] ?? ""))).toEqual([]);
      expect(files).toContain("config/crd/bases/storage.acme.io_memcacheds.yaml");
    },
  );

  it("is named after its folder, and keeps names without a flag", async () => {
    const { parent, said } = await sharedCopy("02-memcached-operator", "caches");
    expect(said.at(-2)).toBe("$ cd caches");
    const folder = join(parent, "caches");
    expect(await readFile(join(folder, "PROJECT"), "utf8")).toMatch(
      /^domain: example\.com\n(.*\n)*projectName: caches\nrepo: caches\n(.*\n)*\s+kind: Memcached\n/m,
    );
    expect(await readFile(join(folder, "controllers/deployment.ts"), "utf8")).toContain('image: "memcached:');
    const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    expect(name).toBe("caches");
    expect(await readFile(join(folder, "Makefile"), "utf8")).toContain(`VERSION ?= ${version}\n`);
    expect(await readFile(join(folder, "config/manager/kustomization.yaml"), "utf8")).toContain(
      `newTag: v${version}\n`,
    );
  });

  it.each([
    ["01-podbuggertool/1", "new/folder/tools"],
    ["02-memcached-operator", "caches"],
  ])("of %s brings its own Node, and libraries that npm and pnpm both find", async (stage, name) => {
    const { parent } = await sharedCopy(stage, name);
    const folder = join(parent, name);
    const read = (path: string) => readFile(join(folder, path), "utf8");
    const manifest = JSON.parse(await read("package.json"));
    const settings = parse(await read("pnpm-workspace.yaml"));
    const direct: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
    const { node } = JSON.parse(await readFile(join(root, "package.json"), "utf8")).devDependencies;
    expect(direct.node).toBe(`^${node}`);
    expect(settings.nodeVersion).toBe(node);
    expect(settings.engineStrict).toBeUndefined();
    // pnpm reads its own file. npm reads package.json, which names a direct dependency by its reference.
    for (const [name, file] of Object.entries<string>(settings.overrides)) {
      expect(existsSync(join(folder, file.replace("file:", "")))).toBe(true);
      expect(direct[name] ?? file).toBe(file);
      expect(manifest.overrides[name]).toBe(direct[name] === undefined ? file : `$${name}`);
    }
    expect(Object.keys(manifest.overrides)).toEqual(Object.keys(settings.overrides));
    expect(manifest.allowScripts).toEqual(settings.allowBuilds);
    expect(parse(await read("pnpm-lock.yaml")).importers["."].devDependencies.node.version).toBe(node);
  });

  it("creates missing folders above the target", async () => {
    const { parent } = await sharedCopy("01-podbuggertool/1", "new/folder/tools");
    expect(await readdir(join(parent, "new/folder/tools"))).toContain("crd.yaml");
    expect(await readdir(join(parent, "new/folder"))).toEqual(["tools"]);
  });

  it("replaces the workload if the kind changes", async () => {
    const { parent } = await sharedCopy("02-memcached-operator", "my-operator", names);
    const text = await readFile(join(parent, "my-operator/controllers/deployment.ts"), "utf8");
    expect(text).toMatch(/\n\s+image: "registry\.k8s\.io\/pause:[\d.]+",\n(?!\s+command)/);
    expect(await readFile(join(parent, "my-operator/README.md"), "utf8")).toContain(
      "starts a program that only waits",
    );
  });

  it("accepts an existing empty folder", async () => {
    await mkdir(join(parent, "here"));
    await copy("01-podbuggertool/1", "here");
    expect(await readdir(join(parent, "here"))).toContain("crd.yaml");
  });

  it.each([
    [
      "no tutorial",
      "03-nothing",
      "x",
      {},
      /there is no tutorial "03-nothing" to copy: there are 01-podbuggertool, /,
    ],
    [
      "no page",
      "01-podbuggertool/9",
      "x",
      {},
      /there is no page 01-podbuggertool\/9: there are 01-podbuggertool\/1, /,
    ],
    [
      "no step",
      "01-podbuggertool@nowhere",
      "x",
      {},
      /there is no step "nowhere": there are 01-podbuggertool\/1@/,
    ],
    [
      "a step of several pages",
      "01-podbuggertool@clean-up",
      "x",
      {},
      /several pages have a step clean-up: choose 01-podbuggertool\/1@clean-up or /,
    ],
    ["a path out of the tutorials", "../packages", "x", {}, /there is no tutorial "\.\."/],
    [
      "a folder with something in it",
      "01-podbuggertool",
      "full",
      {},
      /full already exists, and is not empty/,
    ],
    ["a file", "01-podbuggertool", "full/file", {}, /file already exists, and is not a folder/],
    ["a folder below a file", "01-podbuggertool", "full/file/x", {}, /file is not a folder/],
    [
      "a new folder in the repository, by a link",
      "01-podbuggertool",
      "link/new/my-operator",
      {},
      /is inside the repository/,
    ],
    ["the repository", "01-podbuggertool", join(root, "my-operator"), {}, /is inside the repository/],
    ["the repository by a link", "01-podbuggertool", "link/my-operator", {}, /is inside the repository/],
    [
      "a folder that makes no name",
      "01-podbuggertool",
      "%%%",
      {},
      /cannot become a project name: set --name/,
    ],
    [
      "a name",
      "01-podbuggertool",
      "x",
      { name: "My Operator" },
      /"My Operator" is not a valid RFC 1123 label .*: choose another --name/,
    ],
    ["a name that is too long", "01-podbuggertool", "x", { name: "a".repeat(40) }, /has 40 characters/],
    [
      "an empty name",
      "01-podbuggertool",
      "x",
      { name: "" },
      /"" is not a valid RFC 1123 label .*: choose another --name/,
    ],
    [
      "a domain",
      "01-podbuggertool",
      "x",
      { domain: "Acme_io" },
      /--domain "Acme_io" is not a valid RFC 1123 subdomain/,
    ],
    ["a group", "01-podbuggertool", "x", { group: "a.b" }, /--group "a\.b" is not a valid RFC 1123 label/],
    [
      "a kind",
      "01-podbuggertool",
      "x",
      { kind: "my-kind" },
      /--kind "my-kind" is not a valid kind .*did you mean MyKind\?/,
    ],
    [
      "a kind of the language",
      "01-podbuggertool",
      "x",
      { kind: "Date" },
      /--kind Date is the name of a type in TypeScript/,
    ],
    [
      "a kind of the code's",
      "01-podbuggertool",
      "x",
      { kind: "Pod" },
      /would become pods, but .* already has a pods/,
    ],
  ])("rejects before it writes: %s", async (_, stage, folder, flags, message) => {
    await mkdir(join(parent, "full"));
    await writeFile(join(parent, "full/file"), "mine");
    await symlink(join(root, "packages"), join(parent, "link"));
    await expect(copy(stage, folder, flags)).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringMatching(message),
    });
    expect(await readdir(parent)).toEqual(["full", "link"]);
    expect(await readdir(join(parent, "full"))).toEqual(["file"]);
  });

  it("leaves nothing after an interrupt", async () => {
    const abort = new AbortController();
    const running = copyStage(
      "02-memcached-operator",
      "new/folder/my-operator",
      {},
      {
        ...{ root, cwd: parent, signal: abort.signal },
        say: (line) => void (line.startsWith("Packing") && abort.abort()),
      },
    );
    await expect(running).rejects.toThrow(/abort/i);
    expect(await readdir(parent)).toEqual([]);
  });
});

describe("git", () => {
  const { PATH } = process.env;
  const identity = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const noIdentity = {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.useConfigOnly",
    GIT_CONFIG_VALUE_0: "true",
  };

  it("commits the whole copy once, inside of any repository", async () => {
    await writeFile(join(parent, "file"), "text");
    expect(
      initialiseGit(parent, "Begin", { PATH, ...noIdentity, ...identity, GIT_DIR: join(root, ".git") }),
    ).toBe("committed");
    const log = execFileSync("git", ["log", "--format=%s", "--name-only"], { cwd: parent, encoding: "utf8" });
    expect(log).toBe("Begin\n\nfile\n");
  });

  it("only initialises without an identity", () => {
    expect(initialiseGit(parent, "Begin", { PATH, ...noIdentity, HOME: parent })).toBe("initialised");
  });

  it("is skipped if it is missing", async () => {
    expect(initialiseGit(parent, "Begin", { PATH: parent })).toBe("none");
    expect(await readdir(parent)).toEqual([]);
  });
});
