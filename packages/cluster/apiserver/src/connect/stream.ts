import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { ApiStatusError, badRequest, pathNotFound } from "../errors.ts";
import type { UpgradeRequest } from "../http/server.ts";
import type { RestApi } from "../rest/api.ts";
import type { ApiContext, Scope } from "../rest/context.ts";
import { flag } from "../rest/options.ts";
import { type Channels, openChannels, protocols } from "./channels.ts";
import { nodeError } from "./log.ts";
import type { AttachRequest, ContainerStreams, NodeConnection } from "./node-connection.ts";
import { connectionTo, findContainer, nodeNameOf } from "./pod-container.ts";

/** Answers pods/x/exec and pods/x/attach: WebSockets between a client and a container. */
export function createStreamHandler(
  context: ApiContext,
  api: RestApi,
): (upgrade: UpgradeRequest) => Promise<void> {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: 4 * 1024 * 1024,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  });

  return async ({ request, message, socket, head }) => {
    const resolved = api.resolve(request);
    if (resolved === undefined) throw pathNotFound();
    const { scope } = resolved;
    if (scope.type.plural !== "pods" || !["exec", "attach"].includes(scope.subresource)) throw pathNotFound();
    // Everything that can be refused is refused before the protocol changes: clients show a Status then.
    const run = prepare(context, scope);
    checkProtocol(message);
    const webSocket = await upgrade(webSockets, message, socket, head);
    const channels = openChannels(webSocket, request.signal);
    await finish(channels, scope, () => run(channels.streams));
  };
}

type Run = (streams: ContainerStreams) => Promise<{ exitCode: number }>;

/** What a plain HTTP request for exec or attach is told. @throws ApiStatusError 400, 404, 500 */
export function refusePlainHttp(context: ApiContext, scope: Scope): never {
  prepare(context, scope);
  throw badRequest("Upgrade request required");
}

/** @throws ApiStatusError 400, 404, 500 */
function prepare(context: ApiContext, scope: Scope): Run {
  const { query } = scope.request;
  const { pod, reference } = findContainer(context, scope, query.get("container") ?? "");
  const nodeName = nodeNameOf(pod);
  if (nodeName === "") throw badRequest(`pod ${scope.name} does not have a host assigned`);
  const connection: NodeConnection = connectionTo(context, nodeName);
  const tty = flag(query, "tty") ?? false;
  const attach: AttachRequest = {
    ...reference,
    tty,
    stdin: flag(query, "stdin") ?? false,
    stdout: flag(query, "stdout") ?? false,
    // A terminal has one output.
    stderr: !tty && (flag(query, "stderr") ?? false),
  };
  if (!attach.stdin && !attach.stdout && !attach.stderr) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  if (scope.subresource === "attach") return (streams) => connection.attach(attach, streams);
  const command = query.getAll("command");
  if (command.length === 0) throw badRequest("you must specify at least one command");
  return (streams) => connection.exec({ ...attach, command }, streams);
}

/** @throws ApiStatusError 400 for SPDY, which clients try when WebSockets fail, and for unknown protocols */
function checkProtocol(message: IncomingMessage): void {
  const upgrade = message.headers.upgrade ?? "";
  if (upgrade.toLowerCase() !== "websocket") {
    throw badRequest(
      `cannot upgrade to ${JSON.stringify(upgrade)}: exec and attach need a WebSocket with ${protocols.join(" or ")}`,
    );
  }
  const offered = (message.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  if (!protocols.some((protocol) => offered.includes(protocol))) {
    throw badRequest(
      `none of the protocols ${JSON.stringify(offered)} is known: exec and attach need ${protocols.join(" or ")}`,
    );
  }
}

function upgrade(
  server: WebSocketServer,
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<WebSocket> {
  return new Promise((resolve) => server.handleUpgrade(message, socket, head, resolve));
}

/** Sends how the command ended, in the form that clients turn into an exit code. */
async function finish(
  channels: Channels,
  scope: Scope,
  run: () => Promise<{ exitCode: number }>,
): Promise<void> {
  try {
    const { exitCode } = await run();
    if (exitCode === 0) {
      channels.finish({ metadata: {}, status: "Success" });
      return;
    }
    channels.finish({
      metadata: {},
      status: "Failure",
      message: `command terminated with non-zero exit code: command terminated with exit code ${exitCode}`,
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
    });
  } catch (error) {
    const { status } = error instanceof ApiStatusError ? error : nodeError(error, scope.name);
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = status;
    channels.finish(rest);
  }
}
