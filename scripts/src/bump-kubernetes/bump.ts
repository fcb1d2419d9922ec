import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import type { KubernetesVersions } from "@operator-path/tools";
import { execa } from "execa";
import { addedErrors, changedGates, compareSchemas, type OpenApiDocument } from "./changes.ts";
import { type Changes, checklist } from "./checklist.ts";
import { type Generator, generators } from "./generators.ts";
import type { Registries } from "./registries.ts";
import { differencesIn, isIn, rewrite, type TextFile } from "./texts.ts";
import { parseTarget, resolveVersions } from "./versions.ts";

export interface BumpOptions {
  /** The repository's folder. */
  readonly root: string;
  readonly current: KubernetesVersions;
  readonly registries: Registries;
  /** Whether nothing is written. Default: false. */
  readonly dryRun?: boolean;
  /** Whether uncommitted changes are accepted. Default: false. */
  readonly force?: boolean;
  /** Whether the generators run that need registries only. Default: true. */
  readonly generate?: boolean;
  /** Aborts a generator, after which everything is put back. */
  readonly signal?: AbortSignal;
  /** Gets progress, a line at a time. */
  readonly log: (line: string) => void;
}

/**
 * Moves the repository to another version of Kubernetes: rewrites the texts that `sites.ts` lists, and runs the
 * generators that need registries only. When one of them fails, every file is put back.
 *
 * @param wanted `1.37` or `1.37.1`
 * @returns what is left for a person, as Markdown
 * @throws UserError when the version or the work tree cannot be used; nothing is written then
 */
export async function bumpKubernetes(wanted: string, options: BumpOptions): Promise<string> {
  const { root, current, registries, dryRun = false, force = false, generate = true, log } = options;
  const target = parseTarget(wanted, current);
  if (!force && !dryRun && (await git(root, ["status", "--porcelain"])) !== "")
    throw new UserError("the work tree has uncommitted changes: commit or stash them, or pass --force");
  const { versions, notes } = await resolveVersions(target, current, registries);
  log(`Kubernetes ${current.kubernetes} → ${versions.kubernetes}`);
  for (const key of Object.keys(versions) as (keyof KubernetesVersions)[])
    if (versions[key] !== current[key]) log(`  ${key}: ${current[key]} → ${versions[key]}`);

  const changes = await changesBetween(current, versions, registries);
  const before = await textFiles(root);
  const edits = before
    .map(({ file, text }) => ({ file, text, next: rewrite({ file, text }, versions) }))
    .filter(({ text, next }) => text !== next);
  const goModules = before.filter(({ file }) => file.endsWith("/go.mod")).map(({ file }) => dirname(file));
  const kept = await withGoSum(root, goModules);
  const all = generators(kept, versions.kubernetes, await registries.moduleCache());
  const [own, theirs] = [all.filter(({ needs }) => needs === undefined), all.filter(({ needs }) => needs)];
  const findings: string[] = [];
  const work = { from: current.kubernetes, to: versions.kubernetes, notes, changes, findings };

  if (dryRun) {
    for (const { file, text } of before)
      for (const { line, found, expected, redo } of differencesIn({ file, text }, versions))
        if (redo === undefined) log(`would write ${file}:${line} ${found} → ${expected}`);
    for (const { command, in: folder } of own) log(`would run ${command.join(" ")} in ${folder}`);
  } else {
    await allOrNothing(
      root,
      [...edits.map(({ file }) => file), ...own.flatMap(({ writes }) => writes)],
      async () => {
        for (const { file, next } of edits) await writeFile(join(root, file), next);
        log(`${edits.length} files written`);
        if (generate) for (const generator of own) findings.push(...(await run(root, generator, options)));
      },
    );
  }
  const after = dryRun
    ? before.map(({ file, text }) => ({ file, text: rewrite({ file, text }, versions) }))
    : await textFiles(root);
  const differences = after.flatMap((file) => differencesIn(file, versions));
  return checklist({ ...work, generators: generate && !dryRun ? theirs : all, differences });
}

/** Returns the repository's text files that state versions: tracked, written by hand or by our generators. */
export async function textFiles(root: string): Promise<TextFile[]> {
  const names = (await git(root, ["ls-files", "-z"])).split("\0").filter(Boolean);
  const texts = names.filter(
    (file) =>
      !/\.(br|gz|zst|png|svg|ico)$|(^|\/)(go\.sum|pnpm-lock\.yaml|CHANGELOG\.md)$|^\.changeset\//.test(
        file,
      ) && !file.startsWith("scripts/src/bump-kubernetes"),
  );
  return Promise.all(texts.map(async (file) => ({ file, text: await readFile(join(root, file), "utf8") })));
}

/** Returns what the generator found. */
async function run(root: string, generator: Generator, { signal, log }: BumpOptions): Promise<string[]> {
  const { command, in: folder, findings } = generator;
  log(`${command.join(" ")} (in ${folder})`);
  const [program = "", ...args] = command;
  const { failed, exitCode, all } = await execa(program, args, {
    ...{ cwd: join(root, folder), reject: false, all: true, env: { GOWORK: "off" } },
    ...(signal && { cancelSignal: signal }),
  });
  const found = findings === undefined ? [] : all.split("\n").filter((line) => line.startsWith(findings));
  if (failed && found.length === 0)
    throw new UserError(
      `${command.join(" ")} in ${folder} failed, and every file was put back (exit ${exitCode}):\n${all}`,
    );
  return found;
}

/** Puts files of these globs back, and removes new ones, when `write` throws. */
async function allOrNothing(
  root: string,
  globs: readonly string[],
  write: () => Promise<void>,
): Promise<void> {
  const tracked = (await git(root, ["ls-files", "-z"])).split("\0").filter((file) => isIn(file, globs));
  const originals = await Promise.all(
    tracked.map(async (file) => [join(root, file), await readFile(join(root, file))] as const),
  );
  const others = ["ls-files", "-z", "--others", "--exclude-standard"];
  const known = new Set((await git(root, others)).split("\0"));
  try {
    await write();
  } catch (error) {
    for (const [path, bytes] of originals) await writeFile(path, bytes);
    for (const file of (await git(root, others)).split("\0"))
      if (file !== "" && !known.has(file)) await rm(join(root, file));
    throw error;
  }
}

async function changesBetween(
  current: KubernetesVersions,
  next: KubernetesVersions,
  registries: Registries,
): Promise<Changes> {
  const [old, now] = await Promise.all(
    [current, next].map(({ kubernetes }) => registries.moduleFolder("k8s.io/kubernetes", `v${kubernetes}`)),
  );
  if (old === undefined || now === undefined) throw new Error("two folders are expected");
  const gates = await readFile(join(now, "pkg/features/kube_features.go"), "utf8");
  const serverGates = await registries.moduleFile(
    "k8s.io/apiserver",
    `v0${next.kubernetes.slice(1)}`,
    "pkg/features/kube_features.go",
  );
  const minor = next.kubernetes.split(".", 2).join(".");
  const validations = new Map<string, string[]>();
  const defaulting: string[] = [];
  for (const file of await goFiles(now)) {
    const text = await readFile(join(now, file), "utf8");
    const was = await readFile(join(old, file), "utf8").catch(() => "");
    if (file.endsWith("/defaults.go") && text !== was) defaulting.push(file);
    const errors = addedErrors(was, text);
    if (errors.length > 0) validations.set(file, errors);
  }
  return {
    schemas: compareSchemas(await openApi(old), await openApi(now)),
    gates: [...new Set([...changedGates(gates, minor), ...changedGates(serverGates, minor)])].sort(),
    validations,
    defaulting,
  };
}

/** Of a module's sources, those that validate and default the stable kinds. */
async function goFiles(folder: string): Promise<string[]> {
  const all = await readdir(join(folder, "pkg/apis"), { recursive: true });
  return all
    .filter(
      (file) => /(^|\/)validation\/[^/]*\.go$|\/v\d+\/defaults\.go$/.test(file) && !file.endsWith("_test.go"),
    )
    .map((file) => `pkg/apis/${file}`)
    .sort();
}

async function openApi(folder: string): Promise<OpenApiDocument[]> {
  const specs = join(folder, "api/openapi-spec/v3");
  const stable = (await readdir(specs)).filter((file) => /__v\d+_openapi\.json$/.test(file));
  return Promise.all(
    stable.map(async (file) => JSON.parse(await readFile(join(specs, file), "utf8")) as OpenApiDocument),
  );
}

/** A module that keeps no go.sum is tidied by the person who runs it. */
async function withGoSum(root: string, folders: readonly string[]): Promise<string[]> {
  const tracked = new Set((await git(root, ["ls-files", "-z", "*go.sum"])).split("\0"));
  return folders.filter((folder) => tracked.has(`${folder}/go.sum`));
}

async function git(root: string, args: readonly string[]): Promise<string> {
  return (await execa("git", args, { cwd: root, stripFinalNewline: true })).stdout;
}
