import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { posix } from "node:path";
import type { SimulatedRequest, SimulatedResponse } from "../../network/simulated-http.ts";
import type { ProcessContext } from "../../runtime/contracts.ts";
import type { NginxLocation, NginxServer } from "./servers.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".css": "text/css",
  ".js": "application/javascript",
  ".json": "application/json",
  ".txt": "text/plain",
  ".xml": "text/xml",
  ".svg": "image/svg+xml",
};

/** A response, and the line for the error log. */
export interface Answer {
  response: SimulatedResponse;
  error?: string;
}

export async function respond(
  context: ProcessContext,
  server: NginxServer,
  request: SimulatedRequest,
  name: string,
): Promise<Answer> {
  const path = pathOf(request.path);
  if (path === undefined) return page(name, 400);
  const location = server.locations.find((one) =>
    one.exact ? one.path === path : path.startsWith(one.path),
  );
  const answer = await fromLocation(
    context,
    location as NginxLocation,
    { ...request, path },
    request.path,
    name,
  );
  const { response } = answer;
  const headers: Record<string, string> = {
    Server: name,
    Date: new Date(context.clock.now()).toUTCString(),
    ...response.headers,
    ...(response.status < 400 ? Object.fromEntries(location?.headers ?? []) : {}),
  };
  return { ...answer, response: { ...response, headers } };
}

/** Returns the decoded and normalised path without its query. undefined: the path is invalid. */
function pathOf(target: string): string | undefined {
  try {
    const path = decodeURIComponent(target.split(/[?#]/)[0] ?? "/");
    if (!path.startsWith("/") || path.includes("\0")) return undefined;
    return posix.normalize(path);
  } catch {
    return undefined;
  }
}

async function fromLocation(
  context: ProcessContext,
  location: NginxLocation,
  request: SimulatedRequest,
  target: string,
  name: string,
): Promise<Answer> {
  const { answer, proxyPass } = location;
  if (answer !== undefined) {
    const isRedirect = answer.status >= 300 && answer.status < 400;
    if (!isRedirect && answer.text === "" && answer.status >= 400) return page(name, answer.status);
    const text = answer.text
      .replaceAll("$uri", request.path)
      .replaceAll("$hostname", context.hostname)
      .replaceAll("$host", hostOf(request));
    if (isRedirect) return page(name, answer.status, { Location: text });
    return {
      response: { status: answer.status, headers: { "Content-Type": location.defaultType }, body: text },
    };
  }
  if (proxyPass !== undefined) return proxied(context, location, proxyPass, request, target, name);
  if (request.method !== "GET" && request.method !== "HEAD") return page(name, 405);
  return file(context, location, request, name);
}

function hostOf({ headers }: SimulatedRequest): string {
  return (headers.host ?? "localhost").replace(/:\d+$/, "");
}

async function proxied(
  { network, signal }: ProcessContext,
  { path }: NginxLocation,
  proxyPass: string,
  request: SimulatedRequest,
  target: string,
  name: string,
): Promise<Answer> {
  const url = new URL(proxyPass);
  // A path in proxy_pass replaces the location's path.
  const rest = /^\w+:\/\/[^/]+\//.test(proxyPass) ? url.pathname + target.slice(path.length) : target;
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  try {
    const {
      status,
      headers = {},
      body,
    } = await network.request(url.hostname, port, {
      method: request.method,
      path: rest,
      headers: { ...request.headers, host: url.host, connection: "close" },
      body: request.body,
      tls: url.protocol === "https:",
      signal,
    });
    const forwarded = Object.entries(headers).filter(
      ([header]) => !/^(connection|keep-alive|transfer-encoding|content-length|server|date)$/i.test(header),
    );
    return { response: { status, headers: Object.fromEntries(forwarded), body } };
  } catch (error) {
    return {
      ...page(name, 502),
      error: `connect() failed (111: Connection refused) while connecting to upstream: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function file(
  context: ProcessContext,
  location: NginxLocation,
  request: SimulatedRequest,
  name: string,
): Promise<Answer> {
  const files = await context.container.filesystem();
  const onDisk = (path: string) =>
    location.alias === undefined
      ? `${location.root ?? "/etc/nginx/html"}${path}`
      : `${location.alias}${path.slice(location.path.length)}`;
  const kind = async (path: string) => {
    const stat = await files.stat(path).catch(() => undefined);
    return stat === undefined ? undefined : stat.isDirectory ? "folder" : "file";
  };
  let { path } = request;
  for (const [index, candidate] of location.tryFiles.entries()) {
    const tried = candidate.replaceAll("$uri", path);
    if (tried.startsWith("=")) return page(name, Number(tried.slice(1)));
    const last = index === location.tryFiles.length - 1;
    const found = await kind(onDisk(tried.replace(/\/$/, "")));
    if (last || found === (tried.endsWith("/") ? "folder" : "file")) {
      path = tried;
      break;
    }
  }
  const disk = onDisk(path);
  if (!disk.endsWith("/") && (await kind(disk)) === "folder")
    return page(name, 301, { Location: `http://${request.headers.host ?? "localhost"}${path}/` });
  const candidates = disk.endsWith("/") ? location.index.map((index) => `${disk}${index}`) : [disk];
  for (const candidate of candidates) {
    if ((await kind(candidate)) !== "file") continue;
    const body = await files.readFile(candidate).catch(() => undefined);
    if (body === undefined)
      return { ...page(name, 403), error: `open() "${candidate}" failed (13: Permission denied)` };
    const modified = (await files.stat(candidate)).mtime;
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
    const headers = {
      "Content-Type": types[posix.extname(candidate)] ?? location.defaultType,
      "Last-Modified": modified.toUTCString(),
      ETag: etag,
    };
    if (request.headers["if-none-match"] === etag) return { response: { status: 304, headers, body: "" } };
    return { response: { status: 200, headers, body } };
  }
  if (disk.endsWith("/") && (await kind(disk.slice(0, -1))) === "folder")
    return { ...page(name, 403), error: `directory index of "${disk}" is forbidden` };
  return { ...page(name, 404), error: `open() "${candidates[0]}" failed (2: No such file or directory)` };
}

/** Returns nginx's own page for a status. */
function page(name: string, status: number, headers: Record<string, string> = {}): Answer {
  const words: Record<number, string> = {
    405: "Not Allowed",
    302: "Moved Temporarily",
    503: "Service Temporarily Unavailable",
  };
  const title = `${status} ${words[status] ?? STATUS_CODES[status] ?? ""}`.trim();
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>${name}</center>\r\n</body>\r\n</html>\r\n`;
  return { response: { status, headers: { "Content-Type": "text/html", ...headers }, body } };
}
