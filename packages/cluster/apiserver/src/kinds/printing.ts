// Texts that the cells of several kinds share.

export interface Labelled {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface ContainerNames {
  name?: string;
  image?: string;
}

export const NONE = "<none>";
export const UNSET = "<unset>";

/** Formats labels as `a=b,c=d`, sorted by key. Returns `<none>` without labels. */
export function formatLabels(labels: Record<string, string> | undefined): string {
  return joinOr(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
    NONE,
  );
}

/**
 * Formats a LabelSelector for `kubectl get -l`. "" selects everything, or nothing if the selector is
 * undefined.
 */
export function formatSelector(selector: Labelled | undefined): string {
  const requirements = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    requirements.push({ key, text: formatExpression(key, operator, values ?? []) });
  }
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return requirements.map(({ text }) => text).join(",");
}

function formatExpression(key: string, operator: string, values: string[]): string {
  const list = `(${[...values].sort().join(",")})`;
  switch (operator) {
    case "In":
      return `${key} in ${list}`;
    case "NotIn":
      return `${key} notin ${list}`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}

/** Returns two cells: the names and the images of a Pod template's containers. */
export function formatContainers(containers: ContainerNames[] | undefined): [string, string] {
  const list = containers ?? [];
  return [list.map(({ name = "" }) => name).join(","), list.map(({ image = "" }) => image).join(",")];
}

/** Joins the parts with commas. Returns `nothing` when there are none. */
export function joinOr(parts: string[], nothing: string): string {
  const text = parts.join(",");
  return text === "" ? nothing : text;
}

/** Formats access modes of volumes: abbreviated, in the order of Kubernetes. */
export function formatAccessModes(modes: string[] | undefined): string {
  return Object.entries(ACCESS_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** Formats the addresses that a load balancer has published, sorted. Returns "" when there are none yet. */
export function formatLoadBalancer(
  status: { ingress?: { ip?: string; hostname?: string }[] } | undefined,
): string {
  const addresses = (status?.ingress ?? []).map(({ ip = "", hostname = "" }) => (ip === "" ? hostname : ip));
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}

/** How many addresses or ports are printed before the rest is only counted. */
const maximumPrinted = 3;

/** Formats a list as `a,b,c + 2 more...`. Returns `nothing` when it is empty. */
export function listWithMore(items: string[], nothing: string): string {
  if (items.length === 0) return nothing;
  const shown = items.slice(0, maximumPrinted).join(",");
  return items.length > maximumPrinted ? `${shown} + ${items.length - maximumPrinted} more...` : shown;
}
