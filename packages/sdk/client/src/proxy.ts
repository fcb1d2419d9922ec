import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Cluster } from "./kube-config/kube-config-data.ts";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for requests to a cluster: `proxy-url` of the kubeconfig, otherwise the proxy of the
 * environment.
 *
 * @returns undefined for a direct connection
 * @throws Error when the value is not a proxy URL
 */
export function proxyOf(cluster: Cluster, environment: Environment = process.env): URL | undefined {
  const { name, proxyUrl, server } = cluster;
  if (!proxyUrl) return environmentProxy(new URL(server), environment);
  return parse(proxyUrl, `the kubeconfig's cluster ${JSON.stringify(name)} has a proxy-url that`);
}

/**
 * Returns the proxy that the environment sets for a server, as for kubectl (Go: http.ProxyFromEnvironment).
 * That is HTTPS_PROXY, or HTTP_PROXY for plain HTTP, unless NO_PROXY matches the server. Each name is read in
 * upper case first, then in lower case. Requests to this machine (localhost and loopback addresses) never use
 * a proxy.
 *
 * @throws Error when the value is not a proxy URL. (Go connects directly then.)
 */
export function environmentProxy(server: URL, environment: Environment = process.env): URL | undefined {
  const variable = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = lookUp(variable, environment);
  if (!given || isThisMachine(server) || matchesNoProxy(lookUp("NO_PROXY", environment) ?? "", server))
    return undefined;
  return parse(/^\s*[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`, variable);
}

/**
 * Returns the end of an error message that names the proxy, which may have failed. Leaves out its password.
 */
export function throughProxy(proxy: URL | undefined): string {
  return proxy === undefined ? "" : ` (through the proxy ${proxy.host})`;
}

function lookUp(name: string, environment: Environment): string | undefined {
  return environment[name] || environment[name.toLowerCase()];
}

function isThisMachine(server: URL): boolean {
  return hostOf(server) === "localhost" || matchesNoProxy("127.0.0.0/8,::1,::ffff:127.0.0.0/104", server);
}

const protocols = ["http:", "https:", "socks:", "socks5:", "socks5h:", "socks4:", "socks4a:"];

/** @throws Error without the value, which may contain a password */
function parse(text: string, where: string): URL {
  const url = URL.parse(text);
  try {
    if (url?.hostname && protocols.includes(url.protocol)) {
      decodeURIComponent(url.username + url.password);
      return url;
    }
  } catch {
    // The account contains a percent sign that is not part of an escape.
  }
  throw new Error(
    `${where} is not a proxy URL (expected one like http://proxy:3128 or socks5://proxy:1080; in a password, write % as %25)`,
  );
}

/**
 * Returns whether a NO_PROXY list matches a server, as golang.org/x/net/http/httpproxy reads it for kubectl.
 * Entries are separated by commas. An entry is one of:
 *
 * - `*`: every server
 * - an address, or a range of addresses (CIDR)
 * - a host: `example.com` also matches its subdomains, `.example.com` and `*.example.com` match only those
 *
 * All but ranges may have a port. Other entries match nothing. Names are not resolved.
 */
export function matchesNoProxy(list: string, server: URL): boolean {
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

/** Splits `host:1` and `[::1]:1`. `host` and `::1` have no port. */
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

/** Returns the host of a URL, without brackets and without a final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Returns the port of a URL. Default: the port of its scheme, which is 1080 for all SOCKS schemes. */
export function portOf({ port, protocol }: URL): string {
  return port || (ports[protocol] ?? "1080");
}
