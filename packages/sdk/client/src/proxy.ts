import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Cluster } from "./kube-config/kube-config-data.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Through which proxy a cluster is asked: `proxy-url` of the kubeconfig, else what the environment says.
 *
 * @returns undefined for a connection of its own
 * @throws Error when it is no URL of a proxy
 */
export function proxyOf(cluster: Cluster, environment: Environment = process.env): URL | undefined {
  const { name, proxyUrl, server } = cluster;
  if (!proxyUrl) return environmentProxy(new URL(server), environment);
  return parse(proxyUrl, `the kubeconfig's cluster ${JSON.stringify(name)} has a proxy-url that`);
}

/**
 * The proxy that the environment names for a server, as with kubectl (Go: http.ProxyFromEnvironment): HTTPS_PROXY, for plain HTTP
 * HTTP_PROXY, unless NO_PROXY names the server; each in upper case first. This machine itself (localhost, loopback addresses) is never
 * asked for by way of one.
 *
 * @throws Error when it is no URL of a proxy. (Go then asks directly.)
 */
export function environmentProxy(server: URL, environment: Environment = process.env): URL | undefined {
  const variable = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = lookUp(variable, environment);
  if (!given || isThisMachine(server) || isNamed(lookUp("NO_PROXY", environment) ?? "", server))
    return undefined;
  return parse(/^\s*[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`, variable);
}

/** For the end of an error: the proxy may be what has failed. Without its password. */
export function throughProxy(proxy: URL | undefined): string {
  return proxy === undefined ? "" : ` (through the proxy ${proxy.host})`;
}

function lookUp(name: string, environment: Environment): string | undefined {
  return environment[name] || environment[name.toLowerCase()];
}

function isThisMachine(server: URL): boolean {
  return hostOf(server) === "localhost" || isNamed("127.0.0.0/8,::1,::ffff:127.0.0.0/104", server);
}

const protocols = ["http:", "https:", "socks:", "socks5:", "socks5h:", "socks4:", "socks4a:"];

/** What it is instead is not shown: it may hold a password. */
function parse(text: string, where: string): URL {
  const url = URL.parse(text);
  try {
    if (url?.hostname && protocols.includes(url.protocol)) {
      decodeURIComponent(url.username + url.password);
      return url;
    }
  } catch {
    // A percent sign that begins no escape.
  }
  throw new Error(
    `${where} is no URL of a proxy: give it one, like http://proxy:3128 or socks5://proxy:1080 (in a password, % is %25)`,
  );
}

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

const ports: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Without the brackets and the final dot that a URL may have. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Its scheme's where it says none: of SOCKS, whichever it is, 1080. */
export function portOf({ port, protocol }: URL): string {
  return port || (ports[protocol] ?? "1080");
}
