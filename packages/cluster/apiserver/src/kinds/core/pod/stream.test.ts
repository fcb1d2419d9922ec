import { duplexPair } from "node:stream";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type {
  ContainerStreams,
  ExecRequest,
  LogRequest,
  NodeConnection,
} from "../../../server/streaming/node-connection.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";

/** A node whose containers know a few commands. */
const node: NodeConnection = {
  async *logs({ previous, follow, tailLines, signal }: LogRequest) {
    if (previous)
      throw Object.assign(new Error('previous terminated container "main" in pod "p" not found'), {
        code: 400,
      });
    yield Buffer.from(`tail=${tailLines}\n`);
    if (!follow) return;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  },
  async exec({ command }: ExecRequest, streams: ContainerStreams) {
    switch (command[0]) {
      case "exit":
        return { exitCode: Number(command[1]) };
      case "cat":
        for await (const chunk of streams.stdin) await streams.stdout(chunk);
        await streams.stderr(Buffer.from("end of input"));
        return { exitCode: 0 };
      case "size":
        for await (const size of streams.resize) {
          await streams.stdout(Buffer.from(`${size.width}x${size.height}`));
          return { exitCode: 0 };
        }
        return { exitCode: 1 };
      default:
        throw new Error(`exec: "${command[0]}": executable file not found in $PATH`);
    }
  },
  async attach(_request, streams) {
    await streams.stdout(Buffer.from("attached"));
    await new Promise<void>((resolve) => streams.signal.addEventListener("abort", () => resolve()));
    detached();
    return { exitCode: 0 };
  },
  api: () => Promise.reject(new Error("not here")),
  async portForward({ port }) {
    if (port !== 7) throw new Error(`error forwarding port ${port}: connection refused`);
    const [near, far] = duplexPair();
    far.pipe(far);
    return near;
  },
};
let detached: () => void;

async function startWithPod(
  nodeName = "n1",
  containers = [{ name: "main", image: "x" }],
): Promise<TestServer> {
  const server = await startTestServer({ connectNode: (name) => (name === "n1" ? node : undefined) });
  await server.create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  await server.create(pods, {
    metadata: { name: "p" },
    spec: { ...(nodeName === "" ? {} : { nodeName }), containers },
  });
  return server;
}

/** Bytes of each channel until the server closed the connection. */
interface Session {
  socket: WebSocket;
  opened: Promise<void>;
  closed: Promise<{ code: number; channels: Map<number, string> }>;
}

function open(server: TestServer, path: string, protocol = "v5.channel.k8s.io"): Session {
  const socket = new WebSocket(`${server.url.replace("https", "wss")}${path}`, protocol, {
    ca: server.caCertificate,
    headers: { authorization: `Bearer ${server.token}` },
  });
  const channels = new Map<number, string>();
  socket.on("message", (data: Buffer) => {
    const channel = data[0] as number;
    channels.set(channel, (channels.get(channel) ?? "") + data.subarray(1).toString());
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  opened.catch(() => {});
  const closed = new Promise<{ code: number; channels: Map<number, string> }>((resolve) => {
    socket.on("close", (code) => resolve({ code, channels }));
  });
  return { socket, opened, closed };
}

const exec = (...command: string[]) =>
  `${pods}/p/exec?${command.map((word) => `command=${word}&`).join("")}stdin=1&stdout=1&stderr=1`;

function statusOf(channels: Map<number, string>): Record<string, unknown> {
  return JSON.parse(channels.get(3) ?? "{}");
}

describe("exec", () => {
  test("carries standard input, output and error, and can close input alone", async () => {
    const { socket, opened, closed } = open(await startWithPod(), exec("cat"));
    await opened;
    expect(socket.protocol).toBe("v5.channel.k8s.io");
    socket.send(Buffer.from("\0hello "));
    socket.send(Buffer.from("\0world"));
    socket.send(Buffer.from([255, 0]));
    const { code, channels } = await closed;
    expect(channels.get(1)).toBe("hello world");
    expect(channels.get(2)).toBe("end of input");
    expect(statusOf(channels)).toEqual({ metadata: {}, status: "Success" });
    expect(code).toBe(1000);
  });

  test("ends with the exit code as a Status", async () => {
    const { closed } = open(await startWithPod(), exec("exit", "3"), "v4.channel.k8s.io");
    expect(statusOf((await closed).channels)).toEqual({
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: command terminated with exit code 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
  });

  test("reports why a command cannot start", async () => {
    const { closed } = open(await startWithPod(), exec("nope"));
    expect(statusOf((await closed).channels)).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: 'Internal error occurred: exec: "nope": executable file not found in $PATH',
    });
  });

  test("passes on the size of the terminal", async () => {
    const { socket, opened, closed } = open(await startWithPod(), `${exec("size")}&tty=1`);
    await opened;
    socket.send(Buffer.from('\u0004{"Width":80,"Height":24}'));
    expect((await closed).channels.get(1)).toBe("80x24");
  });

  test("loses nothing of a long input", async () => {
    const { socket, opened, closed } = open(await startWithPod(), exec("cat"));
    await opened;
    const chunk = "0123456789".repeat(3000);
    for (let index = 0; index < 300; index++) socket.send(Buffer.from(`\0${chunk}`));
    socket.send(Buffer.from([255, 0]));
    expect((await closed).channels.get(1)).toBe(chunk.repeat(300));
  });
});

describe("before the protocol changes", () => {
  const status = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ code: number; message: string }>((resolve, reject) => {
      const socket = new WebSocket(`${server.url.replace("https", "wss")}${path}`, "v5.channel.k8s.io", {
        ca: server.caCertificate,
        headers: { authorization: `Bearer ${server.token}`, ...headers },
      });
      socket.on("unexpected-response", (_request, message) => {
        let text = "";
        message.on("data", (chunk) => {
          text += chunk;
        });
        message.on("end", () =>
          resolve({ code: message.statusCode ?? 0, message: JSON.parse(text).message }),
        );
      });
      socket.on("open", () => reject(new Error("it opened")));
      socket.on("error", () => {});
    });

  test("refuses impossible requests with a Status", async () => {
    const server = await startWithPod();
    expect(await status(server, exec("cat"), { authorization: "Bearer x" })).toMatchObject({ code: 401 });
    expect(await status(server, exec("cat"), { host: "evil.example" })).toMatchObject({ code: 403 });
    expect(await status(server, `${pods}/q/exec?command=x&stdout=1`)).toEqual({
      code: 404,
      message: 'pods "q" not found',
    });
    expect(await status(server, `${exec("cat")}&container=x`)).toEqual({
      code: 400,
      message: "container x is not valid for pod p",
    });
    expect(await status(server, `${pods}/p/exec?stdout=1`)).toEqual({
      code: 400,
      message: "you must specify at least one command",
    });
    expect((await status(server, `${pods}/p/portforward`)).code).toBe(403);
    for (const path of ["/api/v1/pods?watch=1", `${pods}/p/proxy/`])
      expect(await status(server, path)).toMatchObject({
        code: 400,
        message: expect.stringContaining("unable to upgrade: only exec, attach and portforward"),
      });
  });

  test("rejects a WebSocket of a user who may get pods/exec and not create it, with a real server's message", async () => {
    const server = await startTestServer({
      connectNode: () => node,
      authorize: ({ verb }) => ({ allowed: verb === "get" }),
    });
    expect(await status(server, exec("cat"))).toEqual({ code: 403, message: 'pods "p" is forbidden: ' });
  });

  test("requires a container name when there are several", async () => {
    const both = [
      { name: "a", image: "x" },
      { name: "b", image: "x" },
    ];
    expect(await status(await startWithPod("n1", both), exec("cat"))).toEqual({
      code: 400,
      message: "a container name must be specified for pod p, choose one of: [a b]",
    });
  });

  test("requires a Pod with a node that exists", async () => {
    expect(await status(await startWithPod(""), exec("cat"))).toEqual({
      code: 400,
      message: "pod p does not have a host assigned",
    });
    const server = await startWithPod("n2");
    expect(await status(server, exec("cat"))).toEqual({ code: 404, message: 'pods "n2" not found' });
    await server.create("/api/v1/nodes", { metadata: { name: "n2" } });
    expect((await status(server, exec("cat"))).code).toBe(500);
  });

  test.each(["h2c", "websocket", "SPDY/3.1"])(
    "an upgrade to %s where there is no stream is not made, and the request answered",
    async (protocol) => {
      const server = await startWithPod();
      const headers = { connection: "Upgrade", upgrade: protocol };
      const pod = await server.request("GET", `${pods}/p`, { headers });
      expect([pod.status, pod.json<{ kind: string }>().kind]).toEqual([200, "Pod"]);
      const body = { metadata: { name: "exec" }, data: { a: "b" } };
      const created = await server.request("POST", pods.replace("pods", "configmaps"), { headers, body });
      expect([created.status, created.json<{ data: unknown }>().data]).toEqual([201, { a: "b" }]);
      expect((await server.request("GET", "/nope", { headers })).status).toBe(404);
    },
  );

  test("asks plain HTTP requests to upgrade", async () => {
    const server = await startWithPod();
    const answer = await server.request("POST", exec("cat"));
    expect(answer.json()).toMatchObject({ code: 400, message: "Upgrade request required" });
  });
});

test("tells the container that the client has disconnected", async () => {
  const noticed = new Promise<void>((resolve) => {
    detached = resolve;
  });
  const { socket, opened } = open(await startWithPod(), `${pods}/p/attach?stdout=1`);
  await opened;
  socket.terminate();
  await noticed;
});

describe("logs", () => {
  test("are text, and pass options to the node", async () => {
    const server = await startWithPod();
    const answer = await server.request("GET", `${pods}/p/log?tailLines=3`);
    expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([
      200,
      "text/plain",
      "tail=3\n",
    ]);
  });

  test("become a Status with the node's message when the node refuses", async () => {
    const server = await startWithPod();
    const answer = await server.request("GET", `${pods}/p/log?previous=true`);
    expect(answer.json()).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: 'previous terminated container "main" in pod "p" not found',
    });
  });

  test("have their options validated before the node is called", async () => {
    const server = await startWithPod();
    const answer = await server.request("GET", `${pods}/p/log?tailLines=-1`);
    expect(answer.json()).toMatchObject({
      code: 422,
      message:
        'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    });
  });

  test("are empty for a Pod without a node", async () => {
    const server = await startWithPod("");
    expect(await server.request("GET", `${pods}/p/log`)).toMatchObject({ status: 204, text: "" });
  });
});
