import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ControlPlaneProgram, controlPlaneRequirements, toolRequirements } from "../versions.ts";

/** Runs `go` with arguments in a folder, and returns its standard output. Throws when it fails. */
export type Go = (args: readonly string[], cwd: string) => Promise<string>;

/** The package to build once its module is written. */
export interface BuildTarget {
  readonly package: string;
  readonly ldflags: string;
}

/**
 * Writes a module into an empty folder from which `program` can be built. Its `go.mod` requires only the
 * program's real module.
 *
 * @throws Error with Go's message when the module proxy does not answer
 */
export function writeModule(
  program: ControlPlaneProgram | "kind",
  folder: string,
  go: Go,
): Promise<BuildTarget> {
  if (program === "kind") return writeKindModule(folder);
  return program === "etcd" ? writeEtcdModule(folder, go) : writeKubernetesModule(program, folder, go);
}

/**
 * Writes a module that has kind as a tool. It builds the same program as `go install`, which cannot choose
 * the output path.
 */
async function writeKindModule(folder: string): Promise<BuildTarget> {
  const version = `v${toolRequirements.kind.release}`;
  await writeFile(
    join(folder, "go.mod"),
    `module operator-path/kind\n\ntool sigs.k8s.io/kind\n\nrequire sigs.k8s.io/kind ${version}\n`,
  );
  return { package: "sigs.k8s.io/kind", ldflags: "-s -w" };
}

/**
 * Writes a main package for etcd. etcd's own is in a module with replaces, but exports its entry point for
 * this purpose.
 */
async function writeEtcdModule(folder: string, go: Go): Promise<BuildTarget> {
  const version = `v${controlPlaneRequirements.etcd.release}`;
  const { goVersion } = await describeModule("go.etcd.io/etcd/server/v3", version, folder, go);
  const main = [
    "package main",
    "",
    'import (\n\t"os"\n\n\t"go.etcd.io/etcd/server/v3/etcdmain"\n)',
    "",
    "func main() { etcdmain.Main(os.Args) }",
  ];
  await writeFile(join(folder, "main.go"), `${main.join("\n")}\n`);
  await writeFile(
    join(folder, "go.mod"),
    `module operator-path/etcd\n\ngo ${goVersion}\n\nrequire go.etcd.io/etcd/server/v3 ${version}\n`,
  );
  return { package: ".", ldflags: "-s -w" };
}

/**
 * Writes a module for a program of k8s.io/kubernetes. That module takes its staging modules (k8s.io/api, …)
 * at v0.0.0 from its own tree, with replaces that only apply in the main module. Here each is replaced by its
 * published copy: v1.36.3 is v0.36.3 there.
 */
async function writeKubernetesModule(
  program: ControlPlaneProgram,
  folder: string,
  go: Go,
): Promise<BuildTarget> {
  const { release } = controlPlaneRequirements[program];
  const version = `v${release}`;
  const [, minor = "", patch = ""] = release.split(".");
  const { goVersion, goMod, directory } = await describeModule("k8s.io/kubernetes", version, folder, go);
  const replaces = stagingModules(goMod).map((name) => `\t${name} => ${name} v0.${minor}.${patch}\n`);
  await writeFile(
    join(folder, "go.mod"),
    `module operator-path/control-plane\n\ngo ${goVersion}\n\nrequire k8s.io/kubernetes ${version}\n\nreplace (\n${replaces.join("")})\n`,
  );
  await copyFile(join(directory, "go.sum"), join(folder, "go.sum"));
  // Go would drop the requirement as unused if no package imported it.
  const command = `k8s.io/kubernetes/cmd/${program}`;
  await writeFile(join(folder, "tools.go"), `//go:build tools\n\npackage tools\n\nimport _ "${command}"\n`);
  const stamp = "-X k8s.io/component-base/version.git";
  return {
    package: command,
    ldflags: `-s -w ${stamp}Version=${version} ${stamp}Major=1 ${stamp}Minor=${minor}`,
  };
}

async function describeModule(
  path: string,
  version: string,
  folder: string,
  go: Go,
): Promise<{ goMod: string; goVersion: string; directory: string }> {
  const answer = JSON.parse(await go(["mod", "download", "-json", `${path}@${version}`], folder)) as {
    GoMod: string;
    Dir: string;
  };
  const goMod = await readFile(answer.GoMod, "utf8");
  return { goMod, goVersion: /^go (\S+)$/m.exec(goMod)?.[1] ?? "1.26", directory: answer.Dir };
}

/** Returns the modules that a go.mod replaces by a folder of its own tree, or requires at v0.0.0. */
export function stagingModules(goMod: string): string[] {
  const replaced = [...goMod.matchAll(/(k8s\.io\/[a-z-]+) => \.\/staging/g)];
  const required = [...goMod.matchAll(/^\s*(k8s\.io\/[a-z-]+) v0\.0\.0(?=\s|$)/gm)];
  return [...new Set([...replaced, ...required].map(([, name = ""]) => name))].sort();
}
