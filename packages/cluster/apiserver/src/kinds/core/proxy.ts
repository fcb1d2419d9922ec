import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { ApiStatusError, badRequest, notFound, serviceUnavailable } from "../../apimachinery/errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { admitUnstored, connectAttributes } from "../../server/admission/attributes.ts";
import type { Admission } from "../../server/admission/chain.ts";
import type { Reply } from "../../server/http/reply.ts";
import type { ApiRequest } from "../../server/http/request.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { keyOf } from "../../server/storage/keys.ts";
import type { Store } from "../../server/storage/store.ts";
import type { DialService } from "../../server/streaming/node-connection.ts";
import { connectionTo, findPod, type NodeAccess, nodeNameOf } from "./pod/pod-container.ts";

/** The parts of the server that proxies use. */
export interface ProxyContext extends NodeAccess {
  readonly store: Store;
  readonly admission: Admission;
  readonly dialService: DialService | undefined;
}

/** The server behind the proxy. */
interface Target {
  tls: boolean;
  /** Connects to the server. Rejects with the messages of Go's net package. */
  dial(signal: AbortSignal): Promise<Duplex>;
}

/**
 * Serves pods/x/proxy, services/x/proxy and nodes/x/proxy: HTTP to a server in the cluster
 * (UpgradeAwareHandler of k8s.io/apimachinery). The name may be `name`, `name:port` or `https:name:port`.
 *
 * Does not promise WebSockets and other upgrades, request bodies above the limit of all requests, or
 * rewritten links.
 */
export async function handleProxy(context: ProxyContext, scope: Scope): Promise<Reply> {
  const { request } = scope;
  const path = pathBehindProxy(request);
  if (path === "") {
    return { status: 301, headers: { location: `${request.path}/${request.rawQuery}` }, body: [] };
  }
  const kind = `${scope.type.kind}ProxyOptions`;
  await admitUnstored(context, connectAttributes(scope, { kind, apiVersion: "v1", path }));
  const { tls, dial } = findTarget(context, scope);
  try {
    const connection = await dial(request.signal);
    connection.on("error", () => {});
    return await forward(request, path, tls ? overTls(connection) : connection);
  } catch (error) {
    if (error instanceof ApiStatusError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw serviceUnavailable(`error trying to reach service: ${message}`);
  }
}

/** Returns the path behind `proxy`, unchanged: `/a/b` of `/api/v1/…/proxy/a/b`. */
function pathBehindProxy({ path }: ApiRequest): string {
  const prefix = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy/.exec(path)?.[0] ?? path;
  return path.slice(prefix.length);
}

/** Returns the server that a request names. @throws ApiStatusError 400, 404 or 503 */
function findTarget(context: ProxyContext, scope: Scope): Target {
  const { plural } = scope.type;
  const { scheme, name, port } = splitName(scope);
  const named: Scope = { ...scope, name };
  const tls = scheme === "https";
  switch (plural) {
    case "pods":
      return { tls, dial: podDialer(context, named, port) };
    case "services":
      return { tls, dial: serviceDialer(context, named, port) };
    default:
      return { tls: false, dial: nodeDialer(context, name, port) };
  }
}

/** Splits a name like utilnet.SplitSchemeNamePort. @throws ApiStatusError 400 */
function splitName({ name: id, type }: Scope): { scheme: string; name: string; port: string } {
  const parts = id.split(":");
  const [scheme, name, port] = parts.length === 3 ? parts : ["", ...parts, ""];
  const valid = parts.length <= 3 && name !== "" && ["", "http", "https"].includes(scheme ?? "");
  if (!valid || name === undefined)
    throw badRequest(`invalid ${type.kind.toLowerCase()} request ${JSON.stringify(id)}`);
  return { scheme: scheme ?? "", name, port: port ?? "" };
}

function podDialer(context: ProxyContext, scope: Scope, asked: string): Target["dial"] {
  const pod = findPod(context, scope);
  const { podIP } = isJsonObject(pod.status) ? pod.status : {};
  if (typeof podIP !== "string" || podIP === "") throw badRequest("address not allowed");
  const port = asked === "" ? (firstPort(pod.spec as JsonObject) ?? 80) : Number(asked);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw badRequest(`invalid pod request ${JSON.stringify(`${scope.name}:${asked}`)}`);
  const connection = connectionTo(context, nodeNameOf(pod));
  return (signal) =>
    connection.portForward({ namespace: scope.namespace, pod: scope.name, port, signal }).catch(() => {
      throw new Error(`dial tcp ${podIP}:${port}: connect: connection refused`);
    });
}

function firstPort({ containers }: JsonObject): number | undefined {
  if (!Array.isArray(containers)) return undefined;
  for (const container of containers.filter(isJsonObject)) {
    const [first] = Array.isArray(container.ports) ? container.ports.filter(isJsonObject) : [];
    if (typeof first?.containerPort === "number") return first.containerPort;
  }
  return undefined;
}

function serviceDialer(context: ProxyContext, scope: Scope, port: string): Target["dial"] {
  const { namespace, name } = scope;
  const service = context.store.get(scope.collection, keyOf(namespace, name))?.object;
  if (service === undefined) throw notFound("", "services", name);
  const { ports } = isJsonObject(service.spec) ? service.spec : {};
  const all = Array.isArray(ports) ? ports.filter(isJsonObject) : [];
  const wanted = all.find((one) => String(one.port) === port || (one.name ?? "") === port);
  if (wanted === undefined) {
    if (/^\d+$/.test(port))
      throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(scope.name)}`);
  }
  const { dialService } = context;
  return async () => {
    if (dialService === undefined) throw new Error(`no network reaches service ${JSON.stringify(name)}`);
    try {
      return await dialService(namespace, name, Number(wanted.port));
    } catch (error) {
      // A Service without endpoints gets another message than an endpoint that does not answer.
      if (error instanceof Error && error.message.startsWith("no endpoints"))
        throw serviceUnavailable(error.message);
      throw error;
    }
  };
}

function nodeDialer(context: ProxyContext, name: string, port: string): Target["dial"] {
  if (context.store.get("nodes", name) === undefined) throw notFound("", "nodes", name);
  const connection = connectionTo(context, name);
  if (port !== "" && port !== "10250")
    return () => Promise.reject(new Error(`dial tcp ${name}:${port}: connect: connection refused`));
  return () => connection.api();
}

/** Starts TLS. Like a real API server, it does not verify certificates of servers in the cluster. */
function overTls(connection: Duplex): Duplex {
  return connectTls({ socket: connection, rejectUnauthorized: false }).on("error", () => {});
}

/** Headers about one connection, or for the API server alone. */
const notForwarded = new Set([
  "authorization",
  "connection",
  "content-length",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Returns whether a header is forwarded. Impersonation headers are not: the API server has checked them, and
 * the server behind it must not mistake them for its own.
 */
function isForwarded(name: string): boolean {
  return !notForwarded.has(name) && !name.startsWith("impersonate-");
}

async function forward(request: ApiRequest, path: string, connection: Duplex): Promise<Reply> {
  const body = await request.body();
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name, value]) => isForwarded(name) && value !== undefined),
  );
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({
      createConnection: () => connection,
      method: request.method,
      path: `${path}${request.rawQuery}`,
      headers: {
        ...headers,
        "x-forwarded-host": request.headers.host ?? "",
        "x-forwarded-proto": "https",
        "x-forwarded-uri": request.path,
        connection: "close",
        "content-length": body.length,
      },
      signal: request.signal,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
  return {
    status: answer.statusCode ?? 502,
    headers: headersOf(answer),
    kind: "relay",
    async stream(sink) {
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          sink.write(chunk);
          await sink.drained();
        }
      } finally {
        connection.destroy();
      }
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !notForwarded.has(name))
      .map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? ""]),
  );
}
