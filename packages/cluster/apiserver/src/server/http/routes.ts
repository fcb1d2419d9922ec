import { methodNotAllowed, pathNotFound } from "../../apimachinery/errors.ts";
import { kubernetesVersion } from "../../generated/kubernetes.ts";
import type { TokenAuthenticator } from "../auth/tokens.ts";
import { discoveryDocument } from "../discovery/discovery.ts";
import type { RestApi } from "../endpoints/api.ts";
import { type CustomDocument, openapiDocument } from "../openapi/openapi.ts";
import { openapiV2Document } from "../openapi/v2.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { negotiate } from "./media-type.ts";
import { openidDocument } from "./openid.ts";
import { jsonReply, type Reply, textReply } from "./reply.ts";
import type { ApiRequest } from "./request.ts";
import { transcodeRequest } from "./transcode.ts";
import { yamlReply } from "./yaml-reply.ts";

const [major = "", minor = ""] = kubernetesVersion.split(".");

/** GET /version: the Kubernetes release of this API. */
const version = {
  major,
  minor,
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
  gitVersion: `v${kubernetesVersion}`,
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none (operator-path)",
  compiler: "none",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};

/** The parts of the server that routing uses. */
interface RoutesContext {
  readonly registry: TypeRegistry;
  readonly tokens: Pick<TokenAuthenticator, "signer">;
  readonly customDocument: CustomDocument;
}

/** Returns a function that routes a request by its path: health, version, discovery, OpenAPI, resources. */
export function createRoutes(context: RoutesContext, api: RestApi): (request: ApiRequest) => Promise<Reply> {
  return async (request) => {
    const { segments, path } = request;
    switch (segments[0]) {
      case "healthz":
      case "livez":
      case "readyz":
        return isHealthPath(segments) ? textReply(200, "ok") : pageNotFound();
      case "version":
        readOnly(request);
        return jsonReply(200, version);
      case "api":
      case "apis":
        return inFormat(
          request,
          (await api.handle(transcodeRequest(request))) ?? discovery(context, request),
        );
      case "openapi": {
        readOnly(request);
        if (path === "/openapi/v2")
          return published(request, openapiV2Document(request.headers.accept ?? ""));
        const query = request.query.size === 0 ? "" : `?${request.query}`;
        const document = openapiDocument(`${path}${query}`, context);
        if (document === undefined) return pageNotFound();
        return published(request, document);
      }
      case ".well-known":
      case "openid": {
        readOnly(request);
        return openidDocument(request, context.tokens.signer) ?? pageNotFound();
      }
      case undefined:
        readOnly(request);
        return jsonReply(200, { paths: rootPaths(context) });
      default:
        return pageNotFound();
    }
  };
}

/** The checks of a real server that hold here whenever this server answers. */
const checks = ["etcd", "log", "ping"];

/** Returns whether a path is that of all health checks, or of one: `/readyz`, `/readyz/etcd`. */
function isHealthPath([, check, ...beyond]: readonly string[]): boolean {
  return check === undefined || (checks.includes(check) && beyond.length === 0);
}

/** Returns the response as YAML, if the client prefers that. @throws ApiStatusError 406 */
async function inFormat(request: ApiRequest, reply: Reply): Promise<Reply> {
  const { accept } = request.headers;
  if (reply.headers?.["content-type"] !== "application/json") return reply;
  if (!accept?.includes("yaml") || negotiate(accept).format !== "yaml") return reply;
  if ("stream" in reply && reply.kind !== "list") return reply;
  return yamlReply(reply);
}

function readOnly(request: ApiRequest): void {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
}

function discovery({ registry }: RoutesContext, request: ApiRequest): Reply {
  const [root, group, version] = request.segments;
  // A group-version without definitions does not exist, for any method.
  if (root === "apis" && request.segments.length > 3 && !registry.isBuiltIn(group ?? "", version ?? "")) {
    return pageNotFound();
  }
  readOnly(request);
  // Below a version there are only resources, and /api has only the version v1.
  if (request.segments.length > 2 && request.segments[0] === "api") throw pathNotFound();
  if (request.segments.length > 3) throw pathNotFound();
  const path = `/${request.segments.join("/")}`;
  const document = discoveryDocument(path, request.headers.accept ?? "", registry);
  if (document !== undefined) return published(request, document);
  if (request.segments[0] === "api") throw pathNotFound();
  return pageNotFound();
}

/** Returns the response of Go's HTTP server for an unknown path. */
function pageNotFound(): Reply {
  return textReply(404, "404 page not found\n");
}

function published(
  request: ApiRequest,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array },
): Reply {
  if (headers.etag !== undefined && request.headers["if-none-match"] === headers.etag) {
    return { status: 304, headers: { etag: headers.etag }, body: [] };
  }
  return { status: 200, headers: { ...headers }, body: [body] };
}

function rootPaths({ registry }: RoutesContext): string[] {
  const groups = registry.resources().filter(({ group }) => group !== "");
  const versions = groups.flatMap(({ group, version }) => [`/apis/${group}`, `/apis/${group}/${version}`]);
  return [
    "/.well-known/openid-configuration",
    "/api",
    "/api/v1",
    "/apis",
    ...new Set(versions),
    "/healthz",
    "/livez",
    "/openapi/v2",
    "/openapi/v3",
    "/openid/v1/jwks",
    "/readyz",
    "/version",
  ];
}
