import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Whether NO_PROXY names a server, as golang.org/x/net/http/httpproxy reads it for kubectl. Between commas: `*`, an address, a range of
 * addresses (CIDR), a host with all below it (`example.com`), or only those below it (`.example.com`, `*.example.com`); all but ranges may
 * have a port. What is none of these names nobody. Names are not resolved.
 */
export function isNamed(list: string, server: URL): boolean {
  const host = hostOf(server);
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === "*") return true;
      if (entry.includes("/")) return isIP(host) > 0 && isInRange(host, entry);
      const [name, ofPort] = split(entry);
      if (ofPort !== undefined && ofPort !== port) return false;
      if (isIP(name)) return isInRange(host, `${name}/${isIPv6(name) ? 128 : 32}`);
      return isBelow(host, name);
    });
}

/** Without the brackets and the final dot that a URL may have. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** `host:1`, `[::1]:1`, and `host`, `::1` without a port. */
function split(entry: string): [name: string, port?: string] {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(entry) ?? [];
  return port === undefined ? [entry] : [bracketed ?? plain ?? "", port];
}

function isInRange(host: string, range: string): boolean {
  const [address = "", bits = ""] = range.split("/");
  const [family, own] = [isIP(address), isIP(host)];
  if (!family || !own || !/^\d+$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32)) return false;
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(bits), family === 6 ? "ipv6" : "ipv4");
  return addresses.check(host, own === 6 ? "ipv6" : "ipv4");
}

function isBelow(host: string, entry: string): boolean {
  const name = entry.replace(/^\*(?=\.)/, "");
  if (name === "" || name === ".") return false;
  return name.startsWith(".") ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}
