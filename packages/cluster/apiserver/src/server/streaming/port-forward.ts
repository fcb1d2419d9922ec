import type { Duplex } from "node:stream";
import { createSpdyConnection, type SpdyStream } from "@operator-path/client/spdy";
import { createWebSocketStream } from "ws";
import { badRequest } from "../../apimachinery/errors.ts";
import { type DialPort, forwardChannels } from "./port-forward-channels.ts";
import { splice } from "./splice.ts";
import { accept, negotiate, type Upgrade } from "./upgrade.ts";

/** SPDY inside a WebSocket: kubectl since 1.31 (KEP-4006). */
const tunnel = "SPDY/3.1+portforward.k8s.io";
/** Two channels per port, without half-closing: client libraries without SPDY. */
const channels = "v4.channel.k8s.io";

const protocols = { webSocket: [tunnel, channels], spdy: ["portforward.k8s.io"] };

/** Each port has two channels, and the channel's number is one byte. */
const maxPorts = 127;

/** How long a data stream may wait for its error stream or the reverse, in ms. */
const pairTimeout = 30_000;

/**
 * Serves pods/x/portforward: any number of connections to ports of one Pod, until the client disconnects.
 * Each connection has two streams. One of them only reports why the connection failed.
 *
 * @param ports the ports in the query, from clients that name them in advance
 * @throws ApiStatusError 400 or 403 before anything is written
 */
export async function servePortForward(
  upgrade: Upgrade,
  dial: DialPort,
  ports: readonly number[] = [],
): Promise<void> {
  const agreed = negotiate(upgrade.message, protocols);
  if (agreed.protocol === channels && ports.length > maxPorts)
    throw badRequest(`at most ${maxPorts} ports may be forwarded at once, not ${ports.length}`);
  const upgraded = await accept(upgrade, agreed);
  if (upgraded.kind === "webSocket" && upgraded.protocol === channels)
    return forwardChannels(upgraded.socket, dial, ports, upgrade.signal);
  const transport = upgraded.kind === "spdy" ? upgraded.transport : createWebSocketStream(upgraded.socket);
  const waiting = new Map<string, Half>();
  const connection = createSpdyConnection(transport, {
    role: "server",
    onStream(stream) {
      const { streamtype: type, port, requestid } = stream.headers;
      const number = Number(port);
      if (
        (type !== "error" && type !== "data") ||
        !Number.isInteger(number) ||
        number < 1 ||
        number > 65_535
      ) {
        stream.destroy();
        return;
      }
      stream.accept();
      // Very old clients send no number: their streams come in pairs.
      const key = requestid ?? String(type === "error" ? stream.id : stream.id - 2);
      const half = waiting.get(key) ?? startPair(key);
      half[type] = stream;
      if (half.error === undefined || half.data === undefined) return;
      clearTimeout(half.timer);
      waiting.delete(key);
      void forward(half.data, half.error, () => dial(number, upgrade.signal));
    },
  });

  function startPair(key: string): Half {
    const half: Half = {
      timer: setTimeout(() => {
        waiting.delete(key);
        half.error?.end("timed out waiting for streams");
        half.data?.destroy();
      }, pairTimeout),
    };
    half.timer.unref();
    waiting.set(key, half);
    return half;
  }

  const stop = () => connection.destroy();
  upgrade.signal.addEventListener("abort", stop, { once: true });
  if (upgrade.signal.aborted) stop();
  await connection.closed;
  for (const half of waiting.values()) clearTimeout(half.timer);
}

interface Half {
  data?: SpdyStream;
  error?: SpdyStream;
  timer: NodeJS.Timeout;
}

async function forward(data: SpdyStream, error: SpdyStream, dial: () => Promise<Duplex>): Promise<void> {
  // The client writes nothing to it, but its end must be read.
  error.resume();
  let pod: Duplex;
  try {
    pod = await dial();
  } catch (failure) {
    error.end(failure instanceof Error ? failure.message : String(failure));
    data.resume().end();
    return;
  }
  await splice(data, pod);
  error.end();
}
