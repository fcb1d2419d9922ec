import { ManifestError, type ManifestObject, parseManifest } from "@operator-path/helm-operator";
import type { ChartFile } from "./obtain-chart.ts";
import type { Plurals } from "./resource-of-kind.ts";

interface Definition {
  kind?: string;
  spec?: { group?: string; names?: { kind?: string; plural?: string } };
}

/** What the definitions of a chart call their kinds: those in crds/, its own and those of charts in it, and those it renders. */
export function pluralsOf(files: readonly ChartFile[], objects: readonly ManifestObject[]): Plurals {
  const inFolders = files
    .filter(({ name }) => /^(charts\/[^/]+\/)*crds\/.*\.(ya?ml|json)$/.test(name))
    .flatMap(({ data }) => parsed(data.toString("utf8")));
  const definitions = [...inFolders, ...objects].map(({ object }) => object as Definition);
  return new Map(
    definitions.flatMap(({ kind, spec: { group = "", names } = {} }): [string, string][] =>
      kind === "CustomResourceDefinition" && names?.kind && names.plural
        ? [[`${group}/${names.kind}`, names.plural]]
        : [],
    ),
  );
}

/** What cannot be read is for helm to complain of, when it installs it. */
function parsed(text: string): ManifestObject[] {
  try {
    return parseManifest(text);
  } catch (error) {
    if (error instanceof ManifestError) return [];
    throw error;
  }
}
