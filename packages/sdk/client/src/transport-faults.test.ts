import { createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Client, createClient } from "./client.ts";
import { kubeConfigOf, thrownBy } from "./kube-config/testing/listen.ts";
import { configMaps } from "./resources.ts";
import { createFakeClock } from "./testing/index.ts";

/**
 * Starts a server of raw bytes. `answer` writes to the socket of the n-th request, counted from 1. Faults are
 * injected here, below Node's HTTP, to show how Node and the transport handle them together.
 */
async function startByteServer(answer: (socket: Socket, request: number) => void) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received += bytes;
      if (!received.includes("\r\n\r\n")) return;
      requests.push(received.slice(0, received.indexOf("\r\n")));
      received = "";
      answer(socket, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const clock = createFakeClock();
  function newClient() {
    const client = createClient(kubeConfigOf(`http://127.0.0.1:${port}`), { clock });
    onTestFinished(() => client.close());
    return client;
  }
  return {
    client: newClient(),
    newClient,
    clock,
    requests,
    /** Resolves when this many requests have arrived. */
    async asked(count: number): Promise<void> {
      await vi.waitUntil(() => requests.length >= count, { interval: 1 });
    },
  };
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const sized = (body: string) => `${head}content-length: ${body.length}\r\n\r\n${body}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const event = (name: string) => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}\n`;

const emptyList = sized('{"items":[]}');
const watch = `${head}transfer-encoding: chunked\r\n\r\n${chunk(event("a"))}${chunk(event("b"))}0\r\n\r\n`;
/** All positions at which the text can be cut in two. */
const cuts = (text: string) => Array.from({ length: text.length - 1 }, (_, i) => i + 1);

async function readWatch(client: Client, signal?: AbortSignal) {
  const names: unknown[] = [];
  try {
    for await (const { type, object } of client.resource(configMaps).watch({ signal }))
      if (type === "ADDED") names.push(object.metadata?.name);
    return { names, end: "ended" };
  } catch (error) {
    return { names, end: (error as Error).message };
  }
}

const breaks = {
  reset: (socket: Socket) => socket.resetAndDestroy(),
  close: (socket: Socket) => socket.end(),
};

describe.each(Object.entries(breaks))("a %s of a kept connection", (_, act) => {
  /**
   * The second request uses the connection of the first one, and receives only the first bytes of an answer.
   */
  const breakAfter = (answer: string, offset: number) =>
    startByteServer((socket, request) => {
      if (request !== 2) socket.write(emptyList);
      else if (offset === 0) act(socket);
      else socket.write(answer.slice(0, offset), () => act(socket));
    });

  test("before the first byte repeats a GET", async () => {
    const { client, requests } = await breakAfter(emptyList, 0);
    await client.resource(configMaps).list();
    await client.resource(configMaps).list();
    expect(requests.length).toBe(3);
  });

  test("at any later byte rejects a list, and repeats nothing", async () => {
    for (const offset of cuts(emptyList)) {
      const { client, requests } = await breakAfter(emptyList, offset);
      await client.resource(configMaps).list();
      await expect(client.resource(configMaps).list(), `after ${offset} bytes`).rejects.toThrow(
        "/configmaps",
      );
      await client.resource(configMaps).list();
      expect(requests.length, `after ${offset} bytes`).toBe(3);
    }
  });

  test("at any later byte ends a watch after the events before it, and repeats nothing", async () => {
    for (const offset of cuts(watch)) {
      const { client, requests } = await breakAfter(watch, offset);
      await client.resource(configMaps).list();
      const { names, end } = await readWatch(client);
      const whole = ["a", "b"].filter((name) => watch.indexOf(event(name)) + event(name).length <= offset);
      expect([names, end], `after ${offset} bytes`).toEqual([whole, expect.not.stringMatching("ended")]);
      await client.resource(configMaps).list();
      expect(requests.length, `after ${offset} bytes`).toBe(3);
    }
  });
});

test("gives up an answer that stalls at any byte after the timeout, and does not repeat the request", async () => {
  for (const offset of cuts(emptyList)) {
    const { client, clock, requests, asked } = await startByteServer((socket, request) => {
      socket.write(request === 1 ? emptyList : emptyList.slice(0, offset));
    });
    await client.resource(configMaps).list();
    const list = thrownBy(client.resource(configMaps).list());
    await asked(2);
    await clock.advance(75_000);
    expect((await list).message, `after ${offset} bytes`).toMatch(/no answer for 75 s$/);
    expect(requests.length).toBe(2);
  }
});

test("ends a watch that stalls at any byte with its caller's signal", async () => {
  for (const offset of cuts(watch)) {
    const { client, requests, asked } = await startByteServer((socket) => {
      socket.write(watch.slice(0, offset));
    });
    const abort = new AbortController();
    const reading = readWatch(client, abort.signal);
    await asked(1);
    abort.abort(new Error("enough"));
    expect((await reading).end, `after ${offset} bytes`).toBe("enough");
    expect(requests.length).toBe(1);
  }
});

test("joins answers that arrive in two pieces, wherever they are cut", async () => {
  for (const offset of cuts(watch)) {
    const { client } = await startByteServer((socket) => {
      socket.write(watch.slice(0, offset), () => setImmediate(() => socket.write(watch.slice(offset))));
    });
    expect(await readWatch(client), `cut at ${offset}`).toEqual({ names: ["a", "b"], end: "ended" });
  }
});

test.each(["with it", "after it"])(
  "does not use a duplicate answer for another request (the duplicate arrives %s)",
  async (when) => {
    const { client, newClient, requests } = await startByteServer((socket, request) => {
      const second = sized('{"items":[{}]}');
      if (request > 1) socket.write(emptyList);
      else if (when === "with it") socket.write(emptyList + second);
      else socket.write(emptyList, () => setImmediate(() => socket.write(second)));
    });
    await client.resource(configMaps).list();
    // A later answer to another client shows that the duplicate has arrived.
    await newClient().resource(configMaps).list();
    expect((await client.resource(configMaps).list()).items).toEqual([]);
    expect(requests.length).toBe(3);
  },
);
