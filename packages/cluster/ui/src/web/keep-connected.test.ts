import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { beat } from "../cluster/wire.ts";
import { keepConnected, type Socket } from "./keep-connected.ts";

interface TestSocket extends Socket {
  isClosed: boolean;
}

function start() {
  const clock = createFakeClock();
  const sockets: TestSocket[] = [];
  const messages: string[] = [];
  let lost = 0;
  const end = keepConnected({
    clock,
    open() {
      const socket: TestSocket = {
        ...{ onmessage: null, onclose: null, isClosed: false },
        close() {
          socket.isClosed = true;
        },
      };
      sockets.push(socket);
      return socket;
    },
    onMessage: (text) => messages.push(text),
    onLost: () => lost++,
  });
  const say = (data: string) => sockets.at(-1)?.onmessage?.({ data } as MessageEvent<string>);
  const close = () => sockets.at(-1)?.onclose?.({} as CloseEvent);
  return { clock, sockets, messages, end, say, close, lost: () => lost };
}

test("a server that sends its beats keeps the connection", async () => {
  const { clock, sockets, messages, say, lost } = start();
  for (let n = 0; n < 20; n++) {
    say(`${n}`);
    await clock.advance(beat);
  }
  expect([sockets.length, messages.length, lost()]).toEqual([1, 20, 0]);
});

test("a server that falls silent is lost, although its socket stays open", async () => {
  const { clock, sockets, messages, say, lost } = start();
  say("snapshot");
  await clock.advance(4 * beat);
  expect(lost()).toBe(0);
  await clock.advance(beat);
  expect(lost()).toBe(1);
  expect(sockets[0]?.isClosed).toBe(true);
  await clock.advance(500);
  say("snapshot");
  expect([sockets.length, messages.length]).toEqual([2, 2]);
  await clock.advance(4 * beat);
  expect(lost()).toBe(1);
});

test("a server that accepts a socket and never answers is lost", async () => {
  const { clock, sockets, lost } = start();
  await clock.advance(5 * beat + 500);
  expect([sockets.length, lost()]).toEqual([2, 1]);
});

test("a socket that closes is opened again, later after each failure", async () => {
  const { clock, sockets, close, say, lost } = start();
  for (const delay of [500, 1000, 2000, 2000]) {
    const count = sockets.length;
    close();
    await clock.advance(delay - 1);
    expect(sockets.length).toBe(count);
    await clock.advance(1);
    expect(sockets.length).toBe(count + 1);
  }
  expect(lost()).toBe(4);
  say("snapshot");
  close();
  await clock.advance(500);
  expect(sockets.length).toBe(6);
});

test("the end closes the socket, and opens no other", async () => {
  const { clock, sockets, end, lost } = start();
  end();
  await clock.advance(60_000);
  expect([sockets.length, sockets[0]?.isClosed, lost()]).toEqual([1, true, 0]);
});
