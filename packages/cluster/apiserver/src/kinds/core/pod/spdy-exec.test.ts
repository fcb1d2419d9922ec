import { once } from "node:events";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { createSpdyConnection, type SpdyConnection, type SpdyStream } from "@operator-path/client/spdy";
import { expect, test } from "vitest";
import type {
  ContainerStreams,
  ExecRequest,
  NodeConnection,
} from "../../../server/streaming/node-connection.ts";
import { startTestServer } from "../../../testing/test-server.ts";

const namespace = "/api/v1/namespaces/default";

/** `cat` echoes its input. `size` prints the first size of the terminal. */
const node = {
  async exec({ command }: ExecRequest, streams: ContainerStreams) {
    if (command[0] === "size") {
      for await (const { width, height } of streams.resize) {
        await streams.stdout(Buffer.from(`${width}x${height}`));
        return { exitCode: 0 };
      }
    }
    for await (const chunk of streams.stdin) await streams.stdout(chunk);
    await streams.stderr(Buffer.from("end of input"));
    return { exitCode: 3 };
  },
} as unknown as NodeConnection;

/** Runs a command like kubectl before 1.31, and like every kube-apiserver towards a kubelet. */
async function exec(query: string): Promise<SpdyConnection> {
  const server = await startTestServer({ connectNode: () => node });
  await server.create(`${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  await server.create(`${namespace}/pods`, {
    metadata: { name: "p" },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "x" }] },
  });
  const outgoing = request(`${server.url}${namespace}/pods/p/exec?${query}`, {
    method: "POST",
    ca: server.caCertificate,
    headers: {
      authorization: `Bearer ${server.token}`,
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": ["v4.channel.k8s.io", "v3.channel.k8s.io"],
    },
  }).end();
  const [answer, socket] = await once(outgoing, "upgrade");
  expect(answer.headers["x-stream-protocol-version"]).toBe("v4.channel.k8s.io");
  return createSpdyConnection(socket, { role: "client" });
}

test("opens one stream per standard stream, and one for the exit status", async () => {
  const connection = await exec("command=cat&stdin=1&stdout=1&stderr=1");
  const [error, stdin, stdout, stderr] = ["error", "stdin", "stdout", "stderr"].map((streamtype) =>
    connection.open({ streamtype }),
  ) as [SpdyStream, SpdyStream, SpdyStream, SpdyStream];
  stdin.end("x".repeat(1_000_000));
  const [out, err, status] = await Promise.all([text(stdout), text(stderr), text(error)]);
  expect([out.length, err]).toEqual([1_000_000, "end of input"]);
  expect(JSON.parse(status)).toMatchObject({
    status: "Failure",
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: "3" }] },
  });
  for (const stream of [error, stdout, stderr]) stream.end();
  await connection.closed;
});

test("reads the size of the terminal from lines of JSON", async () => {
  const connection = await exec("command=size&stdin=1&stdout=1&tty=1");
  const [error, , stdout, resize] = ["error", "stdin", "stdout", "resize"].map((streamtype) =>
    connection.open({ streamtype }),
  ) as [SpdyStream, SpdyStream, SpdyStream, SpdyStream];
  resize.write('{"Width":80,"Hei');
  resize.write('ght":24}\n');
  expect(await text(stdout)).toBe("80x24");
  expect(JSON.parse(await text(error))).toEqual({ metadata: {}, status: "Success" });
  connection.destroy();
});

test("ignores a line that is too long for a size, and reads the next one", async () => {
  const connection = await exec("command=size&stdin=1&stdout=1&tty=1");
  const [, , stdout, resize] = ["error", "stdin", "stdout", "resize"].map((streamtype) =>
    connection.open({ streamtype }),
  ) as [SpdyStream, SpdyStream, SpdyStream, SpdyStream];
  // JSON allows spaces anywhere: only its length makes this size invalid.
  resize.write(`{"Width":1,"Height":1${" ".repeat(500_000)}`);
  resize.write("}\n");
  resize.write('{"Width":80,"Height":24}\n');
  expect(await text(stdout)).toBe("80x24");
  connection.destroy();
});

test("refuses a stream that was not requested", async () => {
  const connection = await exec("command=cat&stdout=1");
  await once(connection.open({ streamtype: "stdin" }), "error");
  connection.destroy();
});
