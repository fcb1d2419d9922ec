import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Opens a byte stream to a port of the Pod. Rejects with the message for the client. */
export type DialPort = (port: number, signal: AbortSignal) => Promise<Duplex>;

/** Bytes that may wait for a Pod before the client is paused. */
const maxWaiting = 1024 * 1024;

/**
 * Serves port-forward for client libraries without SPDY (v4.channel.k8s.io with `ports=` in the query). The
 * first byte of a message is the channel: 2n for the data of the nth port, 2n+1 for its errors. The first
 * message of each channel is the port's number, little-endian. Each port has one connection. The WebSocket
 * closes when the first of these connections closes.
 */
export async function forwardChannels(
  socket: WebSocket,
  dial: DialPort,
  ports: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const disconnected = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.on("error", () => resolve());
    signal.addEventListener("abort", () => socket.terminate(), { once: true });
  });
  const send = (channel: number, chunk: Uint8Array, done?: () => void) =>
    socket.send(Buffer.concat([Buffer.from([channel]), chunk]), { binary: true }, () => done?.());
  // No port has been opened yet. Meanwhile the paused socket keeps what the client sends.
  socket.pause();
  const pods = await Promise.all(
    ports.map(async (port, index): Promise<Duplex | undefined> => {
      const number = Buffer.alloc(2);
      number.writeUInt16LE(port);
      send(index * 2, number);
      send(index * 2 + 1, number);
      try {
        return await dial(port, signal);
      } catch (error) {
        send(index * 2 + 1, Buffer.from(error instanceof Error ? error.message : String(error)));
        return undefined;
      }
    }),
  );
  for (const [index, pod] of pods.entries()) {
    pod?.on("error", () => {});
    pod?.on("data", (chunk: Buffer) => {
      pod.pause();
      send(index * 2, chunk, () => pod.resume());
    });
    pod?.once("close", () => socket.close(1000));
    pod?.once("end", () => socket.close(1000));
    pod?.on("drain", () => socket.resume());
  }
  socket.on("message", (data: Buffer, isBinary) => {
    const channel = data[0] ?? 1;
    const pod = channel % 2 === 0 ? pods[channel / 2] : undefined;
    if (!isBinary || pod === undefined) return;
    pod.write(data.subarray(1));
    if (pod.writableLength > maxWaiting) socket.pause();
  });
  socket.resume();
  await disconnected;
  for (const pod of pods) pod?.destroy();
}
