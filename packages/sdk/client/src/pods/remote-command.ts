import type { Readable } from "node:stream";
import { type FailedRequest, RequestError } from "../errors.ts";
import type { Status } from "../generated/kubernetes-types.ts";
import type { ConnectRequest, Transport, TransportConnection } from "../transport.ts";
import type { ByteWriter } from "./byte-streams.ts";
import { connect } from "./pod-reference.ts";

/** The size of a terminal, in columns and rows. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

export interface RemoteCommand {
  readonly stdin: Readable | undefined;
  readonly stdout: ByteWriter | undefined;
  readonly stderr: ByteWriter | undefined;
  readonly resize: AsyncIterable<TerminalSize> | undefined;
}

/** The only version that can end standard input. API servers support it since Kubernetes 1.30 (KEP-4006). */
const protocol = "v5.channel.k8s.io";

// The first byte of a message is the channel (k8s.io/apimachinery/pkg/util/remotecommand).
const stdinChannel = 0;
const stdoutChannel = 1;
const stderrChannel = 2;
const statusChannel = 3;
const resizeChannel = 4;
const closeChannel = 255;

/** The maximum payload of a message to the server in bytes, as in client-go. */
const maxPayload = 32 * 1024;

/**
 * Runs the protocol of exec and attach until the server closes the connection.
 *
 * @returns the server's Status of the command
 * @throws RequestError when the connection ends before the status arrives; the error of a stream; the
 *   signal's reason
 */
export async function runRemoteCommand(
  client: Transport,
  request: Omit<ConnectRequest, "protocols">,
  { stdin, stdout, stderr, resize }: RemoteCommand,
): Promise<{ status: Status; connection: TransportConnection }> {
  // It may fail before it is read. The reader then receives the error.
  stdin?.on("error", () => {});
  try {
    const connection = await connect(client, { ...request, protocols: [protocol] });
    const { socket } = connection;
    const failed = Promise.withResolvers<never>();
    socket.once("error", failed.reject);
    const sizes = resize?.[Symbol.asyncIterator]();
    /** Ends the session with a stream's error. Ignores errors that the end itself causes. */
    const fail = (error: unknown) => {
      if (!socket.destroyed && !socket.readableEnded) socket.destroy(error as Error);
    };

    async function send(channel: number, bytes: Uint8Array): Promise<void> {
      const message = Buffer.concat([Buffer.from([channel]), bytes]);
      // The reader reports a broken connection.
      await new Promise<void>((resolve) => socket.write(message, () => resolve()));
    }

    async function sendInput(): Promise<void> {
      for await (const chunk of stdin ?? []) {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        for (let at = 0; at < bytes.length; at += maxPayload) {
          await send(stdinChannel, bytes.subarray(at, at + maxPayload));
        }
      }
      if (stdin) await send(closeChannel, Buffer.from([stdinChannel]));
    }

    async function sendSizes(): Promise<void> {
      for (let size = await sizes?.next(); size && !size.done; size = await sizes?.next()) {
        const { width, height } = size.value;
        await send(resizeChannel, Buffer.from(JSON.stringify({ Width: width, Height: height })));
      }
    }

    async function receive(): Promise<string> {
      let status = "";
      for await (const message of socket as AsyncIterable<Buffer>) {
        const payload = message.subarray(1);
        if (message[0] === stdoutChannel && payload.length > 0) await stdout?.write(payload);
        if (message[0] === stderrChannel && payload.length > 0) await stderr?.write(payload);
        if (message[0] === statusChannel) status += payload.toString();
      }
      return status;
    }

    try {
      void sendInput().catch(fail);
      void sendSizes().catch(fail);
      const status = await Promise.race([failed.promise, receive()]);
      return { status: parseStatus(status, connection.request), connection };
    } finally {
      socket.destroy();
      // End the iteration now. A pending `next` would take the next size from a later session.
      sizes?.return?.().catch(() => {});
    }
  } finally {
    stdin?.destroy();
    stdout?.release();
    stderr?.release();
  }
}

function parseStatus(text: string, request: FailedRequest): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    const problem = text === "" ? "before" : `after ${JSON.stringify(text.slice(0, 200))} and before`;
    const message = `${request.method} ${request.url}: the server closed the connection ${problem} it sent the command's status`;
    throw new RequestError(message, { request });
  }
}
