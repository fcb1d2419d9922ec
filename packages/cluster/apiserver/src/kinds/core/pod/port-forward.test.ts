import { once } from "node:events";
import { request } from "node:https";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { createSpdyConnection, type SpdyConnection, type SpdyStream } from "@operator-path/client/spdy";
import { describe, expect, test } from "vitest";
import { createWebSocketStream, WebSocket } from "ws";
import type { NodeConnection } from "../../../server/streaming/node-connection.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";

const path = "/api/v1/namespaces/default/pods/p/portforward";

/** Port 7 echoes its input. Port 9 reads it and writes nothing. All other ports refuse connections. */
function echoNode() {
  const open = new Set<Duplex>();
  const node = {
    async portForward({ port }: { port: number }) {
      if (port !== 7 && port !== 9)
        throw new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
      const [near, far] = duplexPair();
      far.on("error", () => {});
      if (port === 7) far.pipe(far);
      open.add(near);
      near.once("close", () => open.delete(near));
      return near;
    },
  } as unknown as NodeConnection;
  return { node, open };
}

async function startWithPod() {
  const { node, open } = echoNode();
  const server = await startTestServer({ connectNode: () => node });
  await server.create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  await server.create("/api/v1/namespaces/default/pods", {
    metadata: { name: "p" },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "x" }] },
  });
  return { server, open };
}

/** Connects like kubectl 1.31 and later: SPDY in a WebSocket. */
async function tunnel(server: TestServer): Promise<SpdyConnection> {
  const protocol = "SPDY/3.1+portforward.k8s.io";
  const socket = new WebSocket(`${server.url.replace("https", "wss")}${path}`, {
    ca: server.caCertificate,
    headers: { authorization: `Bearer ${server.token}` },
    // ws neither requests nor accepts a protocol with a slash in its name.
    finishRequest(outgoing) {
      outgoing.setHeader("sec-websocket-protocol", protocol);
      outgoing.end();
    },
  });
  let agreed: string | undefined;
  socket.once("upgrade", ({ headers }) => {
    agreed = headers["sec-websocket-protocol"];
    delete headers["sec-websocket-protocol"];
  });
  await once(socket, "open");
  expect(agreed).toBe(protocol);
  return createSpdyConnection(createWebSocketStream(socket), { role: "client" });
}

/** Connects like kubectl before 1.31: SPDY on the connection itself. */
async function plain(server: TestServer): Promise<SpdyConnection> {
  const outgoing = request(`${server.url}${path}`, {
    method: "POST",
    ca: server.caCertificate,
    headers: {
      authorization: `Bearer ${server.token}`,
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": "portforward.k8s.io",
    },
  }).end();
  const [answer, socket] = await once(outgoing, "upgrade");
  expect(answer.headers["x-stream-protocol-version"]).toBe("portforward.k8s.io");
  return createSpdyConnection(socket, { role: "client" });
}

let requests = 0;
function forward(connection: SpdyConnection, port: number | string): { data: SpdyStream; error: SpdyStream } {
  const headers = { port: String(port), requestid: String(requests++) };
  const error = connection.open({ ...headers, streamtype: "error" });
  error.end();
  return { error, data: connection.open({ ...headers, streamtype: "data" }) };
}

describe.each([
  ["in a WebSocket", tunnel],
  ["on the connection itself", plain],
])("SPDY %s", (_name, connect) => {
  test("carries several connections at once, each until it closes", async () => {
    const { server, open } = await startWithPod();
    const connection = await connect(server);
    const texts = ["a".repeat(3_000_000), "b", ""];
    const answers = texts.map(async (sent) => {
      const { data, error } = forward(connection, 7);
      data.end(sent);
      return Promise.all([text(data), text(error)]);
    });
    expect(await Promise.all(answers)).toEqual(texts.map((sent) => [sent, ""]));
    expect(open.size).toBe(0);
    connection.destroy();
  });

  test("reports why a connection was refused", async () => {
    const { server } = await startWithPod();
    const connection = await connect(server);
    const { data, error } = forward(connection, 8);
    expect(await Promise.all([text(error), text(data)])).toEqual([
      "dial tcp4 127.0.0.1:8: connect: connection refused",
      "",
    ]);
    connection.destroy();
  });

  test("refuses an invalid port", async () => {
    const { server } = await startWithPod();
    const connection = await connect(server);
    const { error } = forward(connection, "http");
    await once(error, "error");
    connection.destroy();
  });

  test("closes its connections when the client disconnects", async () => {
    const { server, open } = await startWithPod();
    const connection = await connect(server);
    const { data } = forward(connection, 9);
    data.write("hello");
    while (open.size === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = [...open].map((pod) => once(pod, "close"));
    connection.destroy();
    await Promise.all(closed);
  });
});

test("does not let an unread connection block the others", async () => {
  const { server } = await startWithPod();
  const unread = await tunnel(server);
  const { data } = forward(unread, 7);
  // The echo is never read, so the sender blocks as well in the end.
  data.write(Buffer.alloc(50_000_000));
  const other = await tunnel(server);
  const { data: quick } = forward(other, 7);
  quick.end("still here");
  expect(await text(quick)).toBe("still here");
  expect(data.writableLength).toBeGreaterThan(0);
  unread.destroy();
  other.destroy();
});

describe("client libraries without SPDY", () => {
  test("name the ports in the query, and get two channels per port", async () => {
    const { server } = await startWithPod();
    const socket = new WebSocket(
      `${server.url.replace("https", "wss")}${path}?ports=7&ports=8`,
      "v4.channel.k8s.io",
      { ca: server.caCertificate, headers: { authorization: `Bearer ${server.token}` } },
    );
    const channels = new Map<number, Buffer>();
    socket.on("message", (data: Buffer) => {
      const channel = data[0] as number;
      channels.set(channel, Buffer.concat([channels.get(channel) ?? Buffer.alloc(0), data.subarray(1)]));
      if (channels.get(0)?.length === 7) socket.close();
    });
    await once(socket, "open");
    socket.send(Buffer.from("\0hello"));
    await once(socket, "close");
    expect(
      [...channels].map(([channel, bytes]) => [channel, bytes.readUInt16LE(), bytes.toString("utf8", 2)]),
    ).toEqual(
      expect.arrayContaining([
        [0, 7, "hello"],
        [1, 7, ""],
        [2, 8, ""],
        [3, 8, "dial tcp4 127.0.0.1:8: connect: connection refused"],
      ]),
    );
  });
});

test("are refused more ports than there are channels", async () => {
  const { server, open } = await startWithPod();
  const connect = (count: number) =>
    new WebSocket(
      `${server.url.replace("https", "wss")}${path}?ports=${Array(count).fill(7)}`,
      "v4.channel.k8s.io",
      { ca: server.caCertificate, headers: { authorization: `Bearer ${server.token}` } },
    );
  const [refused, answer] = await once(connect(128), "unexpected-response");
  refused.on("error", () => {}).destroy();
  expect(answer.statusCode).toBe(400);
  expect(open.size).toBe(0);
  const socket = connect(127);
  await once(socket, "open");
  socket.terminate();
});

describe("refuses to forward", () => {
  const upgrade = {
    connection: "Upgrade",
    upgrade: "SPDY/3.1",
    "x-stream-protocol-version": "portforward.k8s.io",
  };

  async function refusal(server: TestServer, headers: Record<string, string>): Promise<number | undefined> {
    const outgoing = request(`${server.url}${path}`, {
      method: "POST",
      servername: "localhost",
      ca: server.caCertificate,
      headers,
    }).end();
    const [answer] = await once(outgoing, "response");
    answer.resume();
    return answer.statusCode;
  }

  test("without a token, with a wrong one, for a rebound host name, without a protocol", async () => {
    const { server, open } = await startWithPod();
    const authorization = `Bearer ${server.token}`;
    expect(await refusal(server, upgrade)).toBe(401);
    expect(await refusal(server, { ...upgrade, authorization: "Bearer nonsense" })).toBe(401);
    expect(await refusal(server, { ...upgrade, authorization, host: "evil.example" })).toBe(403);
    expect(await refusal(server, { ...upgrade, authorization, "x-stream-protocol-version": "x" })).toBe(403);
    expect(open.size).toBe(0);
  });

  test("for a user who may only read Pods", async () => {
    const { node, open } = echoNode();
    const server = await startTestServer({
      connectNode: () => node,
      authorize: ({ verb }) => ({ allowed: verb === "get" }),
    });
    expect(await refusal(server, { ...upgrade, authorization: `Bearer ${server.token}` })).toBe(403);
    expect(open.size).toBe(0);
  });
});
