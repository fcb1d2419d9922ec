import { pluralize } from "@operator-path/controller-gen";
import { ManifestError, type ManifestObject, parseManifest } from "@operator-path/helm-operator";
import type { ChartFile } from "./obtain-chart.ts";

/** The name of a kind in rules. */
export interface RuleResource {
  readonly group: string;
  /** The plural: "deployments". */
  readonly plural: string;
  /**
   * Whether the plural is certain: the kind is built-in, or the chart has its CRD. Otherwise it is a guess.
   */
  readonly known: boolean;
}

/** Built-in groups that do not end in .k8s.io. */
const builtInGroups = new Set(["", "apps", "autoscaling", "batch", "policy"]);

/** Groups that end in .k8s.io but are not built-in. */
const otherGroups = new Set(["gateway.networking.k8s.io", "metrics.k8s.io", "snapshot.storage.k8s.io"]);

/** The plurals in CRDs, by "group/Kind". */
export type Plurals = ReadonlyMap<string, string>;

/**
 * Returns the name of a kind in rules. Guesses the plural of a kind that is neither built-in nor in a CRD.
 */
export function resourceOfKind(group: string, kind: string, plurals: Plurals): RuleResource {
  const defined = plurals.get(`${group}/${kind}`);
  if (defined !== undefined) return { group, plural: defined, known: true };
  // Endpoints is the only built-in kind whose name is a plural.
  const plural = kind === "Endpoints" ? "endpoints" : pluralize(kind).toLowerCase();
  return { group, plural, known: isKubernetes(group) };
}

function isKubernetes(group: string): boolean {
  return builtInGroups.has(group) || (group.endsWith(".k8s.io") && !otherGroups.has(group));
}

interface Definition {
  kind?: string;
  spec?: { group?: string; names?: { kind?: string; plural?: string } };
}

/**
 * Returns the plurals in the CRDs of a chart: those in crds/ folders, including those of subcharts, and
 * rendered ones.
 */
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

/** Parses a manifest. Returns nothing for an invalid one, because helm reports it during installation. */
function parsed(text: string): ManifestObject[] {
  try {
    return parseManifest(text);
  } catch (error) {
    if (error instanceof ManifestError) return [];
    throw error;
  }
}
