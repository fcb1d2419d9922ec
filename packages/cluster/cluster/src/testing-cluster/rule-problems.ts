import type { Client, KubeObject } from "@operator-path/client";
import { getJson, type ManifestProblem, nearest } from "./manifest-problem.ts";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Names of the resources and subresources of a cluster, by API group. */
type Catalog = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the mistakes in the rules of a role that the API server accepts, and that allow nothing: groups and
 * resources that the cluster does not have.
 */
export async function ruleProblems(client: Client, role: KubeObject): Promise<ManifestProblem[]> {
  const { rules } = role as { rules?: readonly Rule[] | null };
  const catalog = await readCatalog(client);
  return (rules ?? []).flatMap((rule, index) =>
    problemsOf(rule, catalog).map(({ path, message }) => ({ path: ["rules", index, ...path], message })),
  );
}

function problemsOf(
  { apiGroups = [], resources = [], resourceNames = [] }: Rule,
  catalog: Catalog,
): ManifestProblem[] {
  const unknown = apiGroups.flatMap((group, index) =>
    group === "*" || catalog.has(group) ? [] : [unknownGroup(group, index, catalog)],
  );
  if (unknown.length > 0) return unknown;
  const groups = apiGroups.includes("*") ? [...catalog.keys()] : apiGroups;
  const known = groups.flatMap((group) => catalog.get(group) ?? []);
  const own = resources.flatMap((resource, index) => {
    const message = isKnown(resource, known) ? undefined : explain(resource, groups, known, catalog);
    return message === undefined ? [] : [{ path: ["resources", index], message }];
  });
  const names = resourceNames.flatMap((name, index) => {
    const meant = resources.map((resource) => `${resource}/${name}`).find((one) => known.includes(one));
    if (meant === undefined || name === "status") return [];
    const message = `${name} is a subresource, and resourceNames are names of objects: write ${meant} in resources.`;
    return [{ path: ["resourceNames", index], message }];
  });
  return [...own, ...names];
}

/** Discovery does not list `finalizers`, which is no request, but a permission that an admission plugin asks for. */
function isKnown(resource: string, known: readonly string[]): boolean {
  return resource.includes("*") || known.includes(resource.replace(/\/finalizers$/, ""));
}

function unknownGroup(group: string, index: number, catalog: Catalog): ManifestProblem {
  const named = [...catalog.keys()].filter((one) => one !== "");
  const near = named.find((one) => group !== "" && one.startsWith(`${group}.`)) ?? nearest(group, named);
  const hint = near === undefined ? `the groups are "", ${named.join(", ")}` : `did you mean ${near}?`;
  return { path: ["apiGroups", index], message: `the cluster has no API group ${group}: ${hint}` };
}

function explain(
  resource: string,
  groups: readonly string[],
  known: readonly string[],
  catalog: Catalog,
): string {
  const names = groups.map((group) => group || '""').join(" or ");
  const wrong = `the API group ${names} has no resource ${resource}`;
  const lower = resource.toLowerCase();
  if (isKnown(lower, known)) return `${wrong}: write ${lower}. Names of resources are lowercase.`;
  const whole = known.find((one) => one.endsWith(`/${lower}`));
  if (whole !== undefined)
    return `${resource} is a subresource: write ${whole}. It needs this name in a rule.`;
  const [other] = [...catalog].find(([, resources]) => isKnown(lower, resources)) ?? [];
  if (other !== undefined)
    return `${wrong}: it is in the group ${other || '""'}, so it needs a rule with \`apiGroups: [${other || '""'}]\`.`;
  const near = nearest(resource, known);
  return near === undefined
    ? `${wrong}: \`kubectl api-resources\` lists them`
    : `${wrong}: did you mean ${near}?`;
}

async function readCatalog(client: Client): Promise<Catalog> {
  const { groups } = await getJson<{
    groups: { name: string; versions: { groupVersion: string }[] }[];
  }>(client, "/apis");
  const roots = [
    ["", "/api/v1"] as const,
    ...groups.flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => [name, `/apis/${groupVersion}`] as const),
    ),
  ];
  const catalog = new Map<string, string[]>();
  const lists = await Promise.all(
    roots.map(async ([group, root]) => ({
      group,
      resources: (await getJson<{ resources: { name: string }[] }>(client, root)).resources,
    })),
  );
  for (const { group, resources } of lists)
    catalog.set(group, [...(catalog.get(group) ?? []), ...resources.map(({ name }) => name)]);
  return catalog;
}
