const zone = "svc.cluster.local";

/** Which Service a DNS name asks for, and which Pod of it. */
export interface ServiceName {
  service: string;
  namespace: string;
  /** `web-0` of `web-0.web.default.svc.cluster.local`. */
  hostname?: string;
}

/**
 * The Services that a name may mean to a Pod of the namespace, best first: the search domains of a Pod's resolv.conf
 * (`ndots:5`), then the name as it is.
 */
export function candidateNames(name: string, namespace: string): ServiceName[] {
  const absolute = name.endsWith(".");
  const plain = (absolute ? name.slice(0, -1) : name).toLowerCase();
  if (plain === "") return [];
  const search = [`${namespace}.${zone}`, zone, "cluster.local"];
  const full = absolute ? [plain] : [...search.map((suffix) => `${plain}.${suffix}`), plain];
  return full.map(parse).filter((parsed) => parsed !== undefined);
}

function parse(full: string): ServiceName | undefined {
  if (!full.endsWith(`.${zone}`)) return undefined;
  const [first = "", second = "", third, ...beyond] = full.slice(0, -zone.length - 1).split(".");
  if (first === "" || second === "" || beyond.length > 0) return undefined;
  if (third === undefined) return { service: first, namespace: second };
  return { hostname: first, service: second, namespace: third };
}
