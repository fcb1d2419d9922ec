import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { hostOf, portOf } from "./host-and-port.ts";

/**
 * Whether NO_PROXY names a server, as golang.org/x/net/http/httpproxy reads it for kubectl. Between commas: `*`, an address, a range of
 * addresses (CIDR), a host with all below it (`example.com`), or only those below it (`.example.com`, `*.example.com`); all but ranges may
 * have a port. What is none of these names nobody. Names are not resolved.
 */
export function isNamed(list: string, server: URL): boolean {
  const host = hostOf(server);
  const port = portOf(server);
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === "*") return true;
      if (entry.includes("/")) return isInRange(host, entry);
      const [name, ofPort] = split(entry);
      if (ofPort !== "" && ofPort !== port) return false;
      if (isIP(name)) return isInRange(host, `${name}/${isIP(name) === 6 ? 128 : 32}`);
      return isIP(host) === 0 && isBelow(host, name);
    });
}

/** `host:1`, `[::1]:1`, and `host`, `::1` without a port. */
function split(entry: string): [name: string, port: string] {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d*)$/.exec(entry) ?? [];
  return port === undefined ? [entry, ""] : [bracketed ?? plain ?? "", port];
}

function isInRange(host: string, range: string): boolean {
  const [address = "", bits = ""] = range.split("/");
  const family = isIP(address);
  if (!family || isIP(host) !== family || !/^\d+$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32))
    return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(bits), type);
  return addresses.check(host, type);
}

function isBelow(host: string, entry: string): boolean {
  const [, dot, rest = ""] = /^(\*?\.)?(.*?)\.?$/.exec(entry) ?? [];
  const name = domainToASCII(rest) || rest;
  return name !== "" && ((dot === undefined && host === name) || host.endsWith(`.${name}`));
}
