import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { openChannels } from "./channels.ts";

function fakeSocket() {
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    pause() {
      socket.isPaused = true;
    },
    resume() {
      socket.isPaused = false;
    },
  });
  const send = (channel: number, payload: Uint8Array | string) =>
    socket.emit("message", Buffer.concat([Buffer.from([channel]), Buffer.from(payload)]), true);
  return { socket, send };
}

test("pauses a client after 1 MiB of unread input, however few messages that is", async () => {
  const { socket, send } = fakeSocket();
  const { streams } = openChannels(socket as unknown as WebSocket, new AbortController().signal);
  const chunk = Buffer.alloc(600 * 1024);
  send(0, chunk);
  expect(socket.isPaused).toBe(false);
  send(0, chunk);
  expect(socket.isPaused).toBe(true);
  const input = streams.stdin[Symbol.asyncIterator]();
  expect((await input.next()).value).toHaveLength(chunk.length);
  expect(socket.isPaused).toBe(false);
  for (let i = 0; i < 500; i++) send(0, "x");
  expect(socket.isPaused).toBe(false);
});

test("keeps only the last unread size", async () => {
  const { socket, send } = fakeSocket();
  const { streams } = openChannels(socket as unknown as WebSocket, new AbortController().signal);
  for (let width = 1; width <= 1000; width++) send(4, JSON.stringify({ Width: width, Height: 1 }));
  socket.emit("close");
  const sizes: unknown[] = [];
  for await (const size of streams.resize) sizes.push(size);
  expect(sizes).toEqual([{ width: 1000, height: 1 }]);
});
