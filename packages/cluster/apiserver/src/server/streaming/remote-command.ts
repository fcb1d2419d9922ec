import { ApiStatusError } from "../../apimachinery/errors.ts";
import {
  type Channels,
  openChannels,
  type WantedStreams,
  protocols as webSocketProtocols,
} from "./channels.ts";
import type { ContainerStreams } from "./node-connection.ts";
import { nodeError } from "./node-connection.ts";
import { openSpdyChannels } from "./spdy-channels.ts";
import { accept, negotiate, type Upgrade } from "./upgrade.ts";

/** Runs the command. Resolves when the process has ended. */
export type Run = (streams: ContainerStreams) => Promise<{ exitCode: number }>;

const protocols = { webSocket: webSocketProtocols, spdy: ["v4.channel.k8s.io"] };

/**
 * Serves exec and attach: over WebSocket for current kubectl, over SPDY for older ones and every
 * kube-apiserver.
 * @throws ApiStatusError 400 or 403 before anything is written
 */
export async function serveRemoteCommand(upgrade: Upgrade, wanted: WantedStreams, run: Run): Promise<void> {
  const upgraded = await accept(upgrade, negotiate(upgrade.message, protocols));
  const channels =
    upgraded.kind === "webSocket"
      ? openChannels(upgraded.socket, upgrade.signal)
      : await openSpdyChannels(upgraded.transport, wanted, upgrade.signal);
  if (channels !== undefined) await finish(channels, () => run(channels.streams));
}

/** Sends the result of the command in the form that clients turn into an exit code. */
async function finish(channels: Channels, run: () => Promise<{ exitCode: number }>): Promise<void> {
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
    const { status } = error instanceof ApiStatusError ? error : nodeError(error, "");
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = status;
    channels.finish(rest);
  }
}
