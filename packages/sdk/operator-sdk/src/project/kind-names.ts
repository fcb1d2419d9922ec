import { camelCase, constantOf, isReservedWord, pluralize } from "@operator-path/controller-gen";
import { capitalize } from "./names.ts";
import { isHelmApi, type Project } from "./project-file.ts";

/** The names of files and identifiers that a scaffold derives from a kind. */
export interface KindNames {
  group: string;
  version: string;
  kind: string;
  /** The group with its domain: "cache.example.com". */
  fullGroup: string;
  /** The kind in lower case, for files: "memcached". */
  kindLower: string;
  /** The plural of the kind: "CronJobs". */
  kinds: string;
  /** The plural in lower case: "memcacheds". */
  plural: string;
  /** The name of the Resource in zz_generated.resources.ts: "memcacheds", "cronJobs". */
  resource: string;
  /** The folder of the types: "api/v1alpha1", or "api/cache/v1alpha1" with multigroup. */
  apiFolder: string;
  /** The folder of the controller: "controllers", or "controllers/cache" with multigroup. */
  controllerFolder: string;
  /** The prefix of files in config/: "memcached", or "cache_memcached" with multigroup. */
  roleFile: string;
  /** The prefix of roles and webhooks: "memcached", or "cache-memcached" with multigroup. */
  rolePrefix: string;
  /** The suffix of identifiers that must be unique in the project: "", or "OfCache" with multigroup. */
  ofGroup: string;
  /**
   * The name of a variable for an object: "memcached", "httpRoute", or "object" if the kind is a reserved
   * word.
   */
  variable: string;
  [more: string]: string;
}

/**
 * Returns the names that a scaffold derives from a kind.
 *
 * @param project the domain of its groups, and whether it has several groups
 * @param kind the group without its domain, the version and the kind
 */
export function kindNames(
  { domain, multigroup }: Pick<Project, "domain" | "multigroup">,
  { group, version, kind }: { group: string; version: string; kind: string },
): KindNames {
  const kindLower = kind.toLowerCase();
  const kinds = pluralize(kind);
  return {
    group,
    version,
    kind,
    fullGroup: `${group}.${domain}`,
    kindLower,
    kinds,
    plural: kinds.toLowerCase(),
    resource: constantOf(kind),
    apiFolder: multigroup ? `api/${group}/${version}` : `api/${version}`,
    controllerFolder: multigroup ? `controllers/${group}` : "controllers",
    roleFile: multigroup ? `${group}_${kindLower}` : kindLower,
    rolePrefix: multigroup ? `${group}-${kindLower}` : kindLower,
    ofGroup: multigroup ? `Of${capitalize(group)}` : "",
    variable: isReservedWord(camelCase(kind)) ? "object" : camelCase(kind),
  };
}

/** Returns the names of all kinds with types in the project. */
export function kindsOf(project: Project): KindNames[] {
  return (project.resources ?? [])
    .filter((one) => one.api && !isHelmApi(one))
    .map((one) => kindNames(project, one));
}
