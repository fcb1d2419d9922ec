import { relative, resolve } from "node:path";
import { readApi } from "./api/api.ts";
import { type OutputFile, readText } from "./command/files.ts";
import type { GeneratorName, GeneratorOptions, Options, Output } from "./command/options.ts";
import { checkDefinition } from "./crd/check-definition.ts";
import {
  customResourceDefinition,
  definitionManifest,
  groupKinds,
} from "./crd/custom-resource-definition.ts";
import { referencePages } from "./docs/reference-page.ts";
import { constantOf, resourceModules } from "./object/resource-module.ts";
import { OptionError, type Problem, problemAt, type Report, sortProblems } from "./problem.ts";
import { roleManifests } from "./rbac/roles.ts";
import { openProject } from "./source/project.ts";
import { webhookManifests } from "./webhook/webhooks.ts";
import { emitYaml, type Json, type YamlCache } from "./yaml/emit.ts";

/** The result of `generate`. */
export interface Generated {
  readonly files: readonly OutputFile[];
  /** The text of generators with the output stdout. */
  readonly stdout: string;
  /** Errors in the author's files. If there are any, `files` and `stdout` are incomplete: do not use them. */
  readonly problems: readonly Problem[];
}

interface Artifact {
  readonly generator: GeneratorName;
  /** For code: the folder of its types. */
  readonly folder?: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Generates, in memory, everything that the options ask for. Reads the author's files but writes none.
 *
 * @param cwd absolute; the paths in the options are relative to it
 * @throws OptionError if a path or a header file is missing, or if two generators write the same file
 */
export function generate({ generators, paths, outputs }: Options, cwd: string): Generated {
  const problems: Problem[] = [];
  const report: Report = (place, message, suggestion) =>
    void problems.push(problemAt(place, message, suggestion));
  const project = openProject(paths, cwd);
  const { crd, rbac, webhook, object, docs } = generators;
  const api = readApi(
    project,
    {
      allowDangerousTypes: crd === undefined || crd.allowDangerousTypes === true,
      generateEmbeddedObjectMeta: crd?.generateEmbeddedObjectMeta === true,
    },
    report,
  );
  const definitions =
    crd === undefined && object === undefined && docs === undefined
      ? []
      : groupKinds(api.kinds).flatMap((versions) => {
          const definition = customResourceDefinition(
            versions,
            api,
            crd?.maxDescLen as number | undefined,
            report,
          );
          if (definition === undefined) return [];
          const before = problems.length;
          checkDefinition(definition, versions, constantOf(definition.names.kind), report);
          // Other generators cannot use a definition with problems, such as one that is too large.
          return problems.length > before ? [] : [{ definition, versions }];
        });
  for (const [index, { definition, versions }] of definitions.entries()) {
    const [kind] = versions;
    const same = definitions.slice(0, index).find((other) => other.definition.name === definition.name);
    if (same === undefined || kind === undefined) continue;
    report(
      { file: kind.declaration.file, offset: kind.declaration.offset },
      `${kind.kind} and ${same.definition.names.kind} have the same resource name ${definition.name}`,
      "put +kubebuilder:resource:path=… on one of them",
    );
  }
  const artifacts: Artifact[] = [];
  const cache: YamlCache = new WeakMap();
  const yaml = (
    generator: GeneratorName,
    name: string,
    options: GeneratorOptions,
    objects: readonly Json[],
  ): void => {
    if (objects.length === 0) return;
    const text = objects.map((each) => `---\n${emitYaml(each, cache)}`).join("");
    artifacts.push({ generator, name, text: headerOf(options, cwd) + text });
  };
  if (crd !== undefined) {
    for (const { definition } of definitions) {
      yaml("crd", `${definition.group}_${definition.names.plural}.yaml`, crd, [
        definitionManifest(definition),
      ]);
    }
  }
  if (rbac !== undefined) {
    yaml(
      "rbac",
      String(rbac.fileName || "role.yaml"),
      rbac,
      roleManifests(api.packages, String(rbac.roleName), report),
    );
  }
  if (webhook !== undefined)
    yaml("webhook", "manifests.yaml", webhook, webhookManifests(api.packages, report));
  if (object !== undefined) {
    for (const { folder, name, text } of resourceModules(definitions)) {
      artifacts.push({ generator: "object", folder, name, text: headerOf(object, cwd) + text });
    }
  }
  // The page needs types without problems.
  if (docs !== undefined && problems.length === 0) {
    for (const page of referencePages(definitions, api)) artifacts.push({ generator: "docs", ...page });
  }
  const placed = artifacts.map((artifact) => ({ text: artifact.text, path: place(artifact, outputs, cwd) }));
  rejectDuplicates(
    placed.map(({ path }) => path),
    cwd,
  );
  return {
    files: placed.flatMap(({ path, text }) =>
      path === undefined || path === "stdout" ? [] : [{ path, text }],
    ),
    stdout: placed.flatMap(({ path, text }) => (path === "stdout" ? [text] : [])).join(""),
    problems: sortProblems([...project.problems(), ...problems]),
  };
}

function rejectDuplicates(paths: readonly (string | undefined)[], cwd: string): void {
  const files = paths.filter((path) => path !== undefined && path !== "stdout");
  const duplicate = files.find((path, index) => files.indexOf(path) < index);
  if (duplicate === undefined) return;
  throw new OptionError(`two generators write ${relative(cwd, duplicate)}: give each one its own output`);
}

/** Returns an absolute path, "stdout", or undefined if the artifact is not written. */
function place(
  { generator, folder, name }: Artifact,
  outputs: Readonly<Record<string, Output>>,
  cwd: string,
) {
  const output: Output = outputs[generator] ?? outputs[""] ?? defaultOutput(generator);
  switch (output.kind) {
    case "dir":
      return resolve(cwd, output.path, name);
    case "artifacts":
      return folder === undefined
        ? resolve(cwd, output.config, name)
        : resolve(cwd, output.code ?? folder, name);
    case "stdout":
      return "stdout";
    case "none":
      return undefined;
  }
}

function defaultOutput(generator: GeneratorName): Output {
  return generator === "docs"
    ? { kind: "dir", path: "docs" }
    : { kind: "artifacts", config: `config/${generator}` };
}

function headerOf({ headerFile, year }: GeneratorOptions, cwd: string): string {
  if (headerFile === undefined || headerFile === "") return "";
  const text = readText(resolve(cwd, String(headerFile)), cwd);
  return text.replaceAll(" YEAR", ` ${year ?? ""}`);
}
