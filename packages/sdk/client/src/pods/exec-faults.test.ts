import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { kubeConfigOf } from "../kube-config/testing/listen.ts";
import { createFakeClock } from "../testing/index.ts";
import { exec } from "./exec.ts";

/**
 * Starts a server of raw bytes, below HTTP and WebSocket. `answer` receives the complete answer to a command
 * and decides which bytes to send.
 */
async function startByteServer(answer: (socket: Socket, bytes: Buffer) => void) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    let received = "";
    let isAnswered = false;
    sockets.add(socket.on("error", () => {}));
    socket.on("data", (bytes) => {
      received += bytes;
      if (isAnswered || !received.includes("\r\n\r\n")) return;
      isAnswered = true;
      requests++;
      answer(socket, wholeAnswer(/sec-websocket-key: (.*)\r\n/i.exec(received)?.[1] ?? ""));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = createFakeClock();
  const client = createClient(kubeConfigOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), {
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    clock,
    run: () =>
      exec(client, { namespace: "default", name: "p" }, ["true"]).catch(
        (error: Error & { timedOut?: boolean }) => ({
          error: error.name,
          timedOut: error.timedOut,
        }),
      ),
    requests: () => requests,
  };
}

const frame = (opcode: number, ...payload: Uint8Array[]) => {
  const bytes = Buffer.concat(payload);
  return Buffer.concat([Buffer.from([0x80 | opcode, bytes.length]), bytes]);
};
const binary = (channel: number, text: string) => frame(2, Buffer.from([channel]), Buffer.from(text));

function wholeAnswer(key: string): Buffer {
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const status = '{"reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}';
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n`,
    ),
    ...[binary(1, "out"), binary(3, status), frame(8, Buffer.from([0x03, 0xe8]))],
  ]);
}

/** All positions at which the answer can be cut in two. */
const cuts = Array.from({ length: wholeAnswer("").length - 1 }, (_, i) => i + 1);

describe("an answer to exec", () => {
  test.each([
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
    ["closed", (socket: Socket) => socket.end()],
  ])("that is %s at any byte rejects with a RequestError, and the command runs once", async (_, end) => {
    let cut = 0;
    const server = await startByteServer((socket, bytes) => {
      socket.write(bytes.subarray(0, cut), () => end(socket));
    });
    for (cut of cuts) {
      expect(await server.run(), `after ${cut} bytes`).toEqual({ error: "RequestError", timedOut: false });
    }
    expect(server.requests()).toBe(cuts.length);
    expect(server.clock.pending()).toBe(0);
  });

  test("that stalls at any byte is given up after the timeout", async () => {
    let cut = 0;
    const server = await startByteServer((socket, bytes) => socket.write(bytes.subarray(0, cut)));
    for (cut of cuts) {
      let result: unknown;
      const running = server.run().then((end) => {
        result = end;
      });
      while (result === undefined) await server.clock.advance(15_000);
      await running;
      expect(result, `after ${cut} bytes`).toEqual({ error: "RequestError", timedOut: true });
    }
    expect(server.clock.pending()).toBe(0);
  });

  test("that is split at any byte is complete", async () => {
    let cut = 0;
    const server = await startByteServer((socket, bytes) => {
      socket.write(bytes.subarray(0, cut), () => socket.write(bytes.subarray(cut)));
    });
    for (cut of cuts) {
      const whole = { exitCode: 3, stdout: "out", stderr: "" };
      expect(await server.run(), `split after ${cut} bytes`).toEqual(whole);
    }
  });
});
