import { camelCase, constantOf, isReservedWord, pluralize } from "@operator-path/controller-gen";
import { capitalize } from "./names.ts";
import { isHelmApi, type Project } from "./project-file.ts";

/** All that files and identifiers are called after a kind. */
export interface KindNames {
  group: string;
  version: string;
  kind: string;
  /** "cache.example.com". */
  fullGroup: string;
  /** "memcached", for files. */
  kindLower: string;
  /** "CronJobs". */
  kinds: string;
  /** "memcacheds". */
  plural: string;
  /** What zz_generated.resources.ts calls the Resource: "memcacheds", "cronJobs". */
  resource: string;
  /** Of api/: "api/v1alpha1", or "api/cache/v1alpha1" with several groups. */
  apiFolder: string;
  /** Of controllers/, likewise. */
  controllerFolder: string;
  /** Of files in config/: "memcached", or "cache_memcached". */
  roleFile: string;
  /** Of roles and webhooks: "memcached", or "cache-memcached". */
  rolePrefix: string;
  /** At the end of identifiers that are one of the project's: "", or "OfCache". */
  ofGroup: string;
  /** A parameter that is one: "memcached", "httpRoute"; "object" for a Function. */
  variable: string;
  [more: string]: string;
}

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

/** Of all kinds that have types in the project. */
export function kindsOf(project: Project): KindNames[] {
  return (project.resources ?? [])
    .filter((one) => one.api && !isHelmApi(one))
    .map((one) => kindNames(project, one));
}
