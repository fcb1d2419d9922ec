import type * as http from "node:http";
import type * as https from "node:https";
import type { Cluster } from "@kubernetes/client-node";
import { hostOf, isNamed } from "./no-proxy.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Through which proxy a cluster is asked: `proxy-url` of the kubeconfig, else what the environment says.
 *
 * @returns its URL, or undefined for a connection of its own
 * @throws Error when it is no URL of a proxy
 */
export function proxyOf(cluster: Cluster, environment: Environment = process.env): string | undefined {
  const { name, proxyUrl, server } = cluster;
  if (!proxyUrl) return environmentProxy(new URL(server), environment);
  return checked(proxyUrl, `the kubeconfig's cluster ${JSON.stringify(name)} has a proxy-url that`);
}

/**
 * The proxy that the environment names for a server, as with kubectl (Go: http.ProxyFromEnvironment): HTTPS_PROXY, for plain HTTP
 * HTTP_PROXY, unless NO_PROXY names the server; each in upper case first. This machine itself (localhost, loopback addresses) is never
 * asked for by way of one.
 *
 * @throws Error when it is no URL of a proxy
 */
export function environmentProxy(server: URL, environment: Environment = process.env): string | undefined {
  const variable = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = lookUp(variable, environment);
  if (!given || isThisMachine(server) || isNamed(lookUp("NO_PROXY", environment) ?? "", server))
    return undefined;
  return checked(given.includes("://") ? given : `http://${given}`, `${variable}`);
}

function lookUp(name: string, environment: Environment): string | undefined {
  return environment[name] || environment[name.toLowerCase()];
}

function isThisMachine(server: URL): boolean {
  return hostOf(server) === "localhost" || isNamed("127.0.0.0/8,::1", server);
}

const protocols = ["http:", "https:", "socks:", "socks5:", "socks5h:", "socks4:", "socks4a:"];

/** What it is instead is not shown: it may hold a password. */
function checked(proxy: string, where: string): string {
  const { protocol, hostname } = URL.parse(proxy) ?? {};
  if (protocol && hostname && protocols.includes(protocol)) return proxy;
  throw new Error(
    `${where} is no URL of a proxy: give it one, like http://proxy:3128 or socks5://proxy:1080`,
  );
}

export type CreateAgent = (options: https.AgentOptions) => http.Agent;

/** Makes agents whose connections go through a proxy. Loaded for whom has one: that is megabytes. */
export async function proxyAgents(proxy: string, o: { secure: boolean }): Promise<CreateAgent> {
  if (proxy.startsWith("socks")) {
    const { SocksProxyAgent } = await import("socks-proxy-agent");
    return (options) => new SocksProxyAgent(proxy, options);
  }
  const { HttpProxyAgent, HttpsProxyAgent } = await import("hpagent");
  return (options) =>
    o.secure ? new HttpsProxyAgent({ ...options, proxy }) : new HttpProxyAgent({ ...options, proxy });
}
