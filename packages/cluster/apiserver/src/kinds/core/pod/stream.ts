import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { badRequest, forbidden, pathNotFound } from "../../../apimachinery/errors.ts";
import type { JsonObject } from "../../../lib/json/json.ts";
import { admitUnstored, connectAttributes } from "../../../server/admission/attributes.ts";
import type { Admission } from "../../../server/admission/chain.ts";
import type { Authorizer } from "../../../server/auth/authorizer.ts";
import { resourcePath } from "../../../server/endpoints/authorize.ts";
import type { ApiRequest } from "../../../server/http/request.ts";
import type { UpgradeRequest } from "../../../server/http/server.ts";
import { flag } from "../../../server/registry/options.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import type { WantedStreams } from "../../../server/streaming/channels.ts";
import type { NodeConnection } from "../../../server/streaming/node-connection.ts";
import { servePortForward } from "../../../server/streaming/port-forward.ts";
import { type Run, serveRemoteCommand } from "../../../server/streaming/remote-command.ts";
import type { Upgrade } from "../../../server/streaming/upgrade.ts";
import { connectionTo, findContainer, findPod, type NodeAccess, nodeNameOf } from "./pod-container.ts";

/** The parts of the server that byte streams use. */
export interface StreamContext extends NodeAccess {
  readonly admission: Admission;
  readonly authorize: Authorizer;
}

const streamed = ["exec", "attach", "portforward"];

const streamPath =
  /^\/api\/v1\/(namespaces\/[^/]+\/)?(pods|services|nodes)\/[^/]+\/(exec|attach|portforward|proxy)(\/|\?|$)/;

/**
 * Returns whether a request needs the protocol in its Upgrade header. Clients that prefer HTTP/2 send
 * `Upgrade: h2c` with every request but accept a plain HTTP response. A client that watches over a WebSocket
 * does not accept one.
 */
export function asksForStream({ url = "", headers }: IncomingMessage): boolean {
  if (streamPath.test(url)) return true;
  return headers.upgrade?.toLowerCase() === "websocket" && /[?&]watch=(1|true)(&|$)/.test(url);
}

/**
 * Returns the handler of pods/x/exec, attach and portforward: byte streams between a client and a node.
 * @param resolve returns what the path of a request names, or undefined when it is not a resource's path
 */
export function createStreamHandler(
  context: StreamContext,
  resolve: (request: ApiRequest) => { scope: Scope } | undefined,
): (upgrade: UpgradeRequest) => Promise<void> {
  return async ({ request, message, socket, head }) => {
    const resolved = resolve(request);
    if (resolved === undefined) throw pathNotFound();
    const { scope } = resolved;
    if (scope.type.plural !== "pods" || !streamed.includes(scope.subresource)) {
      throw badRequest(
        "unable to upgrade: only exec, attach and portforward of Pods change the protocol here",
      );
    }
    const upgrade = { message, socket, head, signal: request.signal };
    // All refusals come before the protocol changes, because clients can show a Status then.
    authorizeCreate(context, scope);
    await admit(context, scope);
    await prepare(context, scope)(upgrade);
  };
}

/** Refuses a plain HTTP request for a byte stream. @throws ApiStatusError 400, 403, 404 or 500 */
export function refusePlainHttp(context: StreamContext, scope: Scope): never {
  authorizeCreate(context, scope);
  prepare(context, scope);
  throw badRequest("Upgrade request required");
}

type Serve = (upgrade: Upgrade) => Promise<void>;

/** Returns the function that serves the stream. @throws ApiStatusError 400, 404 or 500 */
function prepare(context: StreamContext, scope: Scope): Serve {
  return scope.subresource === "portforward"
    ? preparePortForward(context, scope)
    : prepareCommand(context, scope);
}

function preparePortForward(context: StreamContext, scope: Scope): Serve {
  const { namespace, name } = scope;
  const connection = nodeOf(context, scope, nodeNameOf(findPod(context, scope)));
  const ports = scope.request.query
    .getAll("ports")
    .flatMap((list) => list.split(","))
    .map(Number)
    .filter((port) => Number.isInteger(port) && port > 0 && port <= 65_535);
  const dial = (port: number, signal: AbortSignal): Promise<Duplex> =>
    connection.portForward({ namespace, pod: name, port, signal });
  return (upgrade) => servePortForward(upgrade, dial, ports);
}

function prepareCommand(context: StreamContext, scope: Scope): Serve {
  const { query } = scope.request;
  const { pod, reference } = findContainer(context, scope, query.get("container") ?? "");
  const connection = nodeOf(context, scope, nodeNameOf(pod));
  const attach = { ...reference, ...requestedStreams(query) };
  if (!attach.stdin && !attach.stdout && !attach.stderr) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const command = query.getAll("command");
  if (scope.subresource === "exec" && command.length === 0)
    throw badRequest("you must specify at least one command");
  const run: Run = (streams) =>
    scope.subresource === "attach"
      ? connection.attach(attach, streams)
      : connection.exec({ ...attach, command }, streams);
  return (upgrade) => serveRemoteCommand(upgrade, attach, run);
}

function requestedStreams(query: URLSearchParams): WantedStreams {
  const tty = flag(query, "tty") ?? false;
  return {
    tty,
    stdin: flag(query, "stdin") ?? false,
    stdout: flag(query, "stdout") ?? false,
    // A terminal has one output.
    stderr: !tty && (flag(query, "stderr") ?? false),
  };
}

function nodeOf(context: StreamContext, scope: Scope, nodeName: string): NodeConnection {
  if (nodeName === "") throw badRequest(`pod ${scope.name} does not have a host assigned`);
  return connectionTo(context, nodeName);
}

/**
 * Checks that the user may create the subresource. A WebSocket begins with a GET, but a user who may only
 * read Pods must not run commands in them. Like that of kube-apiserver 1.36.3, the refusal names no verb.
 */
function authorizeCreate(context: StreamContext, scope: Scope): void {
  const { group, plural } = scope.type;
  const attributes = { user: scope.request.user, verb: "create", ...resourcePath(scope) };
  const { allowed, reason = "" } = context.authorize(attributes);
  if (!allowed) throw forbidden(group, plural, scope.name, reason);
}

const optionKinds: Readonly<Record<string, string>> = {
  exec: "PodExecOptions",
  attach: "PodAttachOptions",
  portforward: "PodPortForwardOptions",
};

/** Runs the admission chain for CONNECT. @throws ApiStatusError of a plugin that refuses */
async function admit(context: StreamContext, scope: Scope): Promise<void> {
  const { query } = scope.request;
  const container = query.get("container") ?? "";
  const command = query.getAll("command");
  const { tty, ...streams } = requestedStreams(query);
  const options: JsonObject = {
    kind: optionKinds[scope.subresource] ?? "",
    apiVersion: "v1",
    ...(scope.subresource === "portforward"
      ? {}
      : {
          ...Object.fromEntries(Object.entries({ ...streams, tty }).filter(([, wanted]) => wanted)),
          ...(container === "" ? {} : { container }),
          ...(command.length === 0 ? {} : { command }),
        }),
  };
  await admitUnstored(context, connectAttributes(scope, options));
}
