import type { ProcessContext } from "../../runtime/contracts.ts";
import { type Directive, NginxConfigError, parseNginxConfig } from "./config.ts";

/** A `location`: how a server handles the requests below a path. */
export interface NginxLocation {
  path: string;
  /** `location = /path` */
  exact: boolean;
  root: string | undefined;
  alias: string | undefined;
  index: string[];
  tryFiles: string[];
  /** `return 200 "text"`, `return 301 /there` */
  answer: { status: number; text: string } | undefined;
  /** `http://host:port` with an optional path. */
  proxyPass: string | undefined;
  defaultType: string;
  headers: [string, string][];
}

export interface NginxServer {
  ports: number[];
  /** Best match first. */
  locations: NginxLocation[];
}

/** Returns the content of a file in the container. undefined: the file is missing. */
type ReadFile = (path: string) => Promise<string | undefined>;
/** Returns the names in a folder. */
type ReadFolder = (path: string) => Promise<string[]>;

/** Directives that change responses and are not simulated. A configuration with one of them is rejected. */
const notSimulated = new Set([
  "rewrite",
  "if",
  "upstream",
  "auth_basic",
  "auth_request",
  "map",
  "fastcgi_pass",
  "uwsgi_pass",
]);

/**
 * Returns the servers of a configuration and its included files.
 * @throws NginxConfigError with nginx's message, also for directives that are not simulated
 */
async function readServers(path: string, readFile: ReadFile, readFolder: ReadFolder): Promise<NginxServer[]> {
  async function read(file: string): Promise<Directive[]> {
    const text = await readFile(file);
    if (text === undefined)
      throw new NginxConfigError(`open() "${file}" failed (2: No such file or directory)`);
    return expand(parseNginxConfig(text, file), file);
  }

  async function expand(directives: Directive[], file: string): Promise<Directive[]> {
    const all: Directive[] = [];
    for (const directive of directives) {
      if (directive.name === "include") {
        for (const included of await filesOf(directive.args[0] ?? "")) all.push(...(await read(included)));
        continue;
      }
      if (notSimulated.has(directive.name))
        throw new NginxConfigError(
          `"${directive.name}" directive is not simulated (location, root, alias, index, try_files, return, proxy_pass, add_header and default_type are) in ${file}:${directive.line}`,
        );
      const { block } = directive;
      all.push(block === undefined ? directive : { ...directive, block: await expand(block, file) });
    }
    return all;
  }

  async function filesOf(pattern: string): Promise<string[]> {
    const full = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
    // The image has no such file. The types are built in.
    if (full.endsWith("/mime.types")) return [];
    if (!full.includes("*")) return [full];
    const folder = full.slice(0, full.lastIndexOf("/"));
    const [before = "", after = ""] = full.slice(folder.length + 1).split("*");
    const names = await readFolder(folder);
    return names
      .filter((name) => name.startsWith(before) && name.endsWith(after) && !name.startsWith("."))
      .sort()
      .map((name) => `${folder}/${name}`);
  }

  const root = await read(path);
  const http = root.find(({ name }) => name === "http")?.block ?? [];
  return http.filter(({ name }) => name === "server").map(({ block = [] }) => serverOf(block, http));
}

function serverOf(server: Directive[], http: Directive[]): NginxServer {
  const listens = server.filter(({ name }) => name === "listen").map(({ args }) => portOf(args[0] ?? ""));
  const locations = server
    .filter(({ name }) => name === "location")
    .map((one) => locationOf(one, server, http));
  const rest = locationOf({ name: "location", args: ["/"], block: [], line: 0 }, server, http);
  return {
    ports: listens.length > 0 ? [...new Set(listens)] : [80],
    // Exact locations first, then the longest prefix.
    locations: [...locations, rest].sort(
      (a, b) => Number(b.exact) - Number(a.exact) || b.path.length - a.path.length,
    ),
  };
}

/** `8080`, `0.0.0.0:8080`, `[::]:8080` */
function portOf(address: string): number {
  const port = Number(/(?:^|:)(\d+)$/.exec(address)?.[1] ?? (/^\d/.test(address) ? "80" : Number.NaN));
  if (!(port > 0 && port <= 65_535))
    throw new NginxConfigError(`invalid port in "${address}" of the "listen" directive`);
  return port;
}

function locationOf(
  { args, block = [], line }: Directive,
  server: Directive[],
  http: Directive[],
): NginxLocation {
  const [modifier = "", named] = args.length > 1 ? args : ["", args[0] ?? "/"];
  if (modifier.startsWith("~"))
    throw new NginxConfigError(`locations with regular expressions are not simulated, in line ${line}`);
  // The innermost level wins.
  const find = (name: string) =>
    [block, server, http]
      .map((level) => level.find((one) => one.name === name))
      .find((one) => one !== undefined);
  const own = (name: string) => block.find((one) => one.name === name)?.args;
  const [status, ...text] =
    own("return") ?? (line === 0 ? server.find(({ name }) => name === "return")?.args : undefined) ?? [];
  const headers = [block, server, http]
    .map((level) => level.filter(({ name }) => name === "add_header"))
    .find((level) => level.length > 0);
  return {
    path: named ?? "/",
    exact: modifier === "=",
    root: find("root")?.args[0],
    alias: own("alias")?.[0],
    index: find("index")?.args ?? ["index.html"],
    tryFiles: find("try_files")?.args ?? [],
    answer:
      status === undefined
        ? undefined
        : /^\d+$/.test(status)
          ? { status: Number(status), text: text.join(" ") }
          : { status: 302, text: status },
    proxyPass: own("proxy_pass")?.[0],
    defaultType: find("default_type")?.args[0] ?? "text/plain",
    headers: (headers ?? []).map(({ args: [name = "", value = ""] }): [string, string] => [name, value]),
  };
}

/**
 * Returns the servers of the container's configuration.
 * @throws NginxConfigError
 */
export async function loadServers(context: ProcessContext): Promise<NginxServer[]> {
  const files = await context.container.filesystem();
  const servers = await readServers(
    "/etc/nginx/nginx.conf",
    (path) => files.readFile(path).catch(() => undefined),
    (path) => files.readdir(path).catch(() => []),
  );
  for (const { locations } of servers) {
    for (const { proxyPass } of locations) {
      if (proxyPass === undefined) continue;
      const host = URL.canParse(proxyPass) ? new URL(proxyPass).hostname : "";
      if (host === "") throw new NginxConfigError(`invalid URL prefix in "${proxyPass}"`);
      if (context.network.resolve(host) === undefined)
        throw new NginxConfigError(`host not found in upstream "${host}"`);
    }
  }
  return servers;
}
