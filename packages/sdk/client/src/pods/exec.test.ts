import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { createClient, createClientOn } from "../client.ts";
import { ApiError, isNotFound, RequestError } from "../errors.ts";
import { kubeConfigOf, listen, thrownBy } from "../kube-config/testing/listen.ts";
import { httpProxy, socksProxy } from "../kube-config/testing/proxies.ts";
import { createFakeClock } from "../testing/index.ts";
import { exec } from "./exec.ts";
import { type ChannelSession, channelClient, success } from "./testing/channel-server.ts";
import { startPodScene } from "./testing/pod-scene.ts";

const scene = await startPodScene();
const { client } = scene;
const box = await scene.run("box", [{ command: ["sleep", "infinity"] }]);
const pod = { namespace: "default", name: "p", container: "main" };

describe("exec on the embedded cluster", () => {
  test("returns the exit code and both outputs as text", async () => {
    const command = ["sh", "-c", "echo out; echo err >&2; exit 3"];
    expect(await exec(client, box, command)).toEqual({ exitCode: 3, stdout: "out\n", stderr: "err\n" });
    expect((await exec(client, box, ["true"])).exitCode).toBe(0);
  });

  test("sends all standard input from text, iterables, Node streams and web streams", async () => {
    async function* chunks() {
      yield "hello ";
      yield Buffer.from("world");
    }
    const sources = [
      "hello world",
      chunks(),
      Readable.from(["hello", " world"]),
      Readable.toWeb(Readable.from(chunks())),
    ];
    for (const stdin of sources) {
      expect(await exec(client, box, ["cat"], { stdin })).toMatchObject({
        stdout: "hello world",
        exitCode: 0,
      });
    }
  });

  test("carries megabytes in both directions, into Node streams and web streams", async () => {
    const stdin = Buffer.alloc(3_000_000, "0123456789abcdef");
    for (const web of [false, true]) {
      const stdout = new PassThrough();
      const read = Readable.from(stdout).toArray();
      const result = await exec(client, box, ["cat"], {
        stdin,
        stdout: web ? Writable.toWeb(stdout) : stdout,
      });
      expect(result).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      stdout.end();
      expect(Buffer.concat(await read).equals(stdin)).toBe(true);
    }
  });

  test("throws the server's Status when the server refuses, or the program does not exist", async () => {
    const missing = await thrownBy(exec(client, { namespace: "default", name: "nope" }, ["true"]));
    expect(isNotFound(missing)).toBe(true);
    expect(missing.request).toEqual({
      method: "GET",
      url: `${scene.server.url}/api/v1/namespaces/default/pods/nope/exec`,
    });
    const noProgram = await thrownBy(exec(client, box, ["no-such-program"]));
    expect(noProgram).toBeInstanceOf(ApiError);
    expect(noProgram.message).toMatch(/"no-such-program": executable file not found/);
    const noContainer = await thrownBy(exec(client, { ...box, container: "x" }, ["true"]));
    expect([noContainer.code, noContainer.message]).toEqual([400, "container x is not valid for pod box"]);
  });

  test("ends when its signal aborts, even while it waits for a slow reader", async () => {
    const abort = new AbortController();
    const stuck = new Writable({ highWaterMark: 1, write: () => abort.abort(new Error("enough")) });
    const running = exec(client, box, ["cat"], {
      ...{ stdin: Buffer.alloc(1_000_000), stdout: stuck, signal: abort.signal },
    });
    expect((await thrownBy(running)).message).toBe("enough");
    expect((await thrownBy(exec(client, box, ["true"], { signal: abort.signal }))).message).toBe("enough");
  });

  test("rejects more output than maxBuffer, and stops the command", async () => {
    const running = exec(client, box, ["cat"], { stdin: Buffer.alloc(1000), maxBuffer: 999 });
    expect((await thrownBy(running)).message).toBe(
      "the command wrote more than 999 bytes to stdout: pass a stream for stdout, or raise maxBuffer",
    );
  });

  test("rejects with the error of a stream that fails", async () => {
    const failing = new Writable({ write: (_, __, done) => done(new Error("disk full")) });
    expect((await thrownBy(exec(client, box, ["echo", "x"], { stdout: failing }))).message).toBe("disk full");
    async function* broken() {
      yield "x";
      throw new Error("no more input");
    }
    expect((await thrownBy(exec(client, box, ["cat"], { stdin: broken() }))).message).toBe("no more input");
  });

  test("rejects with the error of a source that fails before the connection is open", async () => {
    const stdin = new PassThrough();
    const running = thrownBy(exec(client, box, ["cat"], { stdin }));
    stdin.destroy(new Error("no input"));
    expect((await running).message).toBe("no input");
  });

  test("destroys a source that the command does not read to its end", async () => {
    const stdin = new PassThrough();
    expect((await exec(client, box, ["true"], { stdin })).exitCode).toBe(0);
    expect(stdin.destroyed).toBe(true);
  });

  test.each([httpProxy, socksProxy])("goes through the proxy of the kubeconfig: %o", async (startProxy) => {
    const { port, host } = new URL(scene.server.url);
    const proxy = await startProxy(Number(port));
    const kubeConfig = scene.server.kubeConfig();
    kubeConfig.clusters = kubeConfig.clusters.map((cluster) => ({ ...cluster, proxyUrl: proxy.url }));
    const proxied = createClient(kubeConfig);
    expect((await exec(proxied, box, ["cat"], { stdin: "through" })).stdout).toBe("through");
    await proxied.close();
    expect(proxy.requests).toEqual([host]);
  });

  test("rejects a missing namespace, name, command or connect() before any request", async () => {
    expect((await thrownBy(exec(client, { ...box, namespace: "" }, ["true"]))).name).toBe("UsageError");
    expect((await thrownBy(exec(client, { ...box, name: ".." }, ["true"]))).name).toBe("UsageError");
    expect((await thrownBy(exec(client, box, []))).name).toBe("UsageError");
    const { connect: _, ...without } = client;
    expect((await thrownBy(exec(createClientOn(without), box, ["true"]))).message).toMatch(
      /has no connect\(\)/,
    );
  });
});

describe("exec on a connection that fails", () => {
  test("sends the command's words, and no token over plain HTTP", async () => {
    const asked: unknown[] = [];
    const broken = await channelClient(({ socket, request, send }) => {
      asked.push(request.url, request.headers.authorization, request.headers["user-agent"]);
      send(3, success);
      socket.close(1000);
    });
    expect(await exec(broken, pod, ["echo", "a b", "&"], { tty: true })).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual([
      "/api/v1/namespaces/default/pods/p/exec?container=main&command=echo&command=a+b&command=%26&stdin=false&stdout=true&stderr=false&tty=true",
      ...[undefined, "operator-path"],
    ]);
  });

  test("sends each new size of the terminal", async () => {
    const sizes: string[] = [];
    const terminal = await channelClient(({ socket, send }) => {
      socket.on("message", (data: Buffer) => {
        if (data[0] === 4 && sizes.push(data.toString("utf8", 1)) < 2) return;
        send(3, success);
        socket.close(1000);
      });
    });
    const resize = Readable.from([
      { width: 80, height: 24 },
      { width: 100, height: 40 },
    ]);
    await exec(terminal, pod, ["top"], { tty: true, resize });
    expect(sizes).toEqual(['{"Width":80,"Height":24}', '{"Width":100,"Height":40}']);
  });

  test.each([
    ["is cut after some output", ({ tcp }) => tcp.resetAndDestroy(), /close code 1006/],
    ["closes without a status", ({ socket }) => socket.close(1000), /before it sent the command's status$/],
    [
      "closes with half a status",
      ({ socket, send }) => [send(3, '{"st'), socket.close()],
      /after "{\\"st" and before/,
    ],
    [
      "goes away after the status",
      ({ socket, send }) => [send(3, success), socket.close(1001)],
      /close code 1001/,
    ],
    [
      "sends an invalid frame",
      ({ tcp }) => tcp.write(Buffer.from([0xff, 0xff])),
      /Invalid WebSocket frame|RSV/,
    ],
  ] satisfies [string, (session: Parameters<Parameters<typeof channelClient>[0]>[0]) => unknown, RegExp][])(
    "rejects with a RequestError when the server %s",
    async (_, end, message) => {
      const broken = await channelClient((session) => {
        session.send(1, "some");
        end(session);
      });
      const error = await thrownBy(exec(broken, pod, ["true"]));
      expect(error).toBeInstanceOf(RequestError);
      expect(error.message).toMatch(/^GET http:.*\/pods\/p\/exec: /);
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain("command=");
    },
  );

  test("joins a status that arrives in pieces, and ignores unknown channels", async () => {
    const odd = await channelClient(({ socket, send }) => {
      send(9, "what");
      socket.send("text");
      socket.send(Buffer.alloc(0));
      send(3, success.slice(0, 5));
      send(1, "late");
      send(3, success.slice(5));
      socket.close(1000);
    });
    expect(await exec(odd, pod, ["true"])).toEqual({ exitCode: 0, stdout: "late", stderr: "" });
  });

  test.each([
    ["", /chose no WebSocket protocol \(expected v5.channel.k8s.io\)$/],
    ["v4.channel.k8s.io", /chose the WebSocket protocol "v4.channel.k8s.io" \(expected v5.channel.k8s.io\)$/],
  ])("rejects the protocol %j of an older server", async (protocol, message) => {
    const old = await channelClient(() => {}, { protocol });
    expect((await thrownBy(exec(old, pod, ["true"]))).message).toMatch(message);
  });

  test("gives up a server that answers no pings, but not one that does", async () => {
    const clock = createFakeClock();
    let pings = 0;
    const { promise: cut, resolve: silence } = Promise.withResolvers<() => void>();
    const silent = await channelClient(
      ({ socket, tcp }) => {
        socket.on("ping", () => pings++);
        silence(() => tcp.pause());
      },
      { clock },
    );
    const running = thrownBy(exec(silent, pod, ["true"]));
    const stop = await cut;
    for (const expected of [1, 2, 3, 4, 5]) {
      await vi.waitUntil(() => pings === expected);
      await clock.advance(30_000);
    }
    stop();
    await clock.advance(200_000);
    expect(await running).toMatchObject({ name: "RequestError", timedOut: true });
    expect(clock.pending()).toBe(0);
  });

  test("does not give up a server that waits for its process to read the input", async () => {
    const clock = createFakeClock();
    const { promise: opened, resolve } = Promise.withResolvers<ChannelSession>();
    const busy = await channelClient(
      (session) => {
        session.tcp.pause();
        resolve(session);
      },
      { clock },
    );
    const written = Promise.withResolvers<void>();
    async function* stdin() {
      yield "b\na\n";
      written.resolve();
    }
    const running = exec(busy, pod, ["sort"], { stdin: stdin() });
    const { tcp, socket, send } = await opened;
    await written.promise;
    for (let i = 0; i < 10; i++) await clock.advance(30_000);
    socket.once("message", () => {
      send(3, success);
      socket.close(1000);
    });
    tcp.resume();
    expect((await running).exitCode).toBe(0);
  });

  test("ends with the client", async () => {
    const { promise: opened, resolve } = Promise.withResolvers<void>();
    const open = await channelClient(() => resolve());
    const running = thrownBy(exec(open, pod, ["true"]));
    await opened;
    await open.close();
    expect(await running).toMatchObject({ name: "RequestError", isAborted: true });
  });

  test("waits for a slow reader, and leaves unread output at the server", async () => {
    const total = 16 * 1024 * 1024;
    const release = Promise.withResolvers<void>();
    let buffered = () => 0;
    const fast = await channelClient(({ socket, send }) => {
      buffered = () => socket.bufferedAmount;
      for (let sent = 0; sent < total; sent += 32 * 1024) send(1, Buffer.alloc(32 * 1024));
      send(3, success);
      socket.close(1000);
    });
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        taken += chunk.length;
        void release.promise.then(() => done());
      },
    });
    const running = exec(fast, pod, ["true"], { stdout: slow });
    await vi.waitUntil(() => taken > 0);
    // The bytes that the connection and both sides buffer, without those that the server could not send.
    await vi.waitFor(() => expect(buffered()).toBeGreaterThan(total / 2));
    expect(taken).toBeLessThanOrEqual(64 * 1024);
    release.resolve();
    expect((await running).exitCode).toBe(0);
    expect(taken).toBe(total);
  });
});

describe("exec that is refused", () => {
  async function refusing(answers: readonly [number, Record<string, string>][]) {
    let asked = 0;
    const clock = createFakeClock();
    const { url } = await listen((_, response) => {
      const [code, headers] = answers[asked++] ?? [404, {}];
      response.writeHead(code, headers).end("no");
    });
    const client = createClient(kubeConfigOf(url), { clock });
    return { client, clock, asked: () => asked };
  }

  test("is repeated after 429 and Retry-After", async () => {
    const { client, clock, asked } = await refusing([[429, { "retry-after": "7" }]]);
    const running = thrownBy(exec(client, pod, ["true"]));
    await vi.waitUntil(() => asked() === 1 && clock.pending() === 1);
    await clock.advance(7_000);
    expect(await running).toMatchObject({ name: "ApiError", code: 404 });
  });

  test("is not repeated after 503, because the command may have run", async () => {
    const { client, asked } = await refusing([[503, { "retry-after": "1" }]]);
    expect(await thrownBy(exec(client, pod, ["true"]))).toMatchObject({ name: "ApiError", code: 503 });
    expect(asked()).toBe(1);
  });

  test("rejects with a RequestError when the server answers with a page", async () => {
    const { client, clock } = await refusing([[200, {}]]);
    const error = await thrownBy(exec(client, pod, ["true"]));
    expect(error).toBeInstanceOf(RequestError);
    expect(error.message).toMatch(/the server answered 200 and opened no WebSocket$/);
    expect(clock.pending()).toBe(0);
  });
});
