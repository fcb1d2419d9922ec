import type { ContainerStreams } from "@operator-path/apiserver";
import { type Pod, pods } from "@operator-path/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createBytePipe } from "../runtime/byte-pipe.ts";
import { getPod, isReady, podOf, startTestNode, until } from "../testing/node.ts";

let node: Awaited<ReturnType<typeof startTestNode>>;
beforeEach(async () => {
  node = await startTestNode();
});
afterEach(() => node.stop());

const target = { namespace: "default", pod: "payment", container: "main" };
const command = (...argv: string[]) => ({
  ...target,
  command: argv,
  tty: false,
  stdin: false,
  stdout: true,
  stderr: true,
});

async function running(pod: Pod): Promise<void> {
  await node.client.resource(pods).namespace("default").create(pod);
  await until(getPod(node.client, pod.metadata?.name ?? ""), isReady);
}

/** A client of exec or attach: its input, and the output that it received. */
function client() {
  const stdin = createBytePipe();
  const disconnected = new AbortController();
  const seen = { stdout: "", stderr: "" };
  const streams: ContainerStreams = {
    stdin,
    async stdout(chunk) {
      seen.stdout += Buffer.from(chunk).toString();
    },
    async stderr(chunk) {
      seen.stderr += Buffer.from(chunk).toString();
    },
    resize: (async function* () {})(),
    signal: disconnected.signal,
  };
  return { streams, seen, disconnected, stdin };
}

async function read(lines: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of lines) text += Buffer.from(chunk).toString();
  return text;
}

it("exec returns stdout, stderr and the exit code", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, seen } = client();
  const { connection } = node.kubelet;
  expect(await connection.exec(command("sh", "-c", "echo out; echo err >&2; exit 7"), streams)).toEqual({
    exitCode: 7,
  });
  expect(seen).toEqual({ stdout: "out\n", stderr: "err\n" });
});

it("exec fails with a real node's message when the shell, the container or the Pod is missing", async () => {
  await running(podOf("payment", [{ image: "payment:1.0.0" }]));
  const { connection } = node.kubelet;
  await expect(connection.exec(command("/bin/sh"), client().streams)).rejects.toThrow(
    /^Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory: unknown$/,
  );
  const missing = 'unable to upgrade connection: container not found ("nope")';
  await expect(connection.exec({ ...command("sh"), container: "nope" }, client().streams)).rejects.toThrow(
    missing,
  );
  await expect(
    connection.exec({ ...command("sh"), pod: "nope", container: "nope" }, client().streams),
  ).rejects.toThrow(missing);
});

it("exec kills the process when the client disconnects", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, disconnected } = client();
  const exec = node.kubelet.connection.exec(command("sleep", "1000"), streams);
  const ps = async () => {
    const { streams, seen } = client();
    await node.kubelet.connection.exec(command("ps"), streams);
    return seen.stdout;
  };
  await until(ps, (table) => table.includes("sleep 1000"));
  disconnected.abort();
  await exec;
  expect(await ps()).not.toContain("sleep 1000");
});

/** Asks again through another exec until two answers are equal, so that nothing changes any more. */
async function atRest(ask: () => Promise<number>, from: number): Promise<number> {
  let last = -1;
  return until(ask, (now) => {
    const same = now === last && now >= from;
    last = now;
    return same;
  });
}

it("exec pauses a program while the client does not read", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, seen } = client();
  const reading = Promise.withResolvers<void>();
  const slow = {
    ...streams,
    async stdout(chunk: Uint8Array) {
      await reading.promise;
      await streams.stdout(chunk);
    },
  };
  const script = "for i in $(seq 64); do echo $i > /tmp/i; printf '%131072s' x; done";
  const exec = node.kubelet.connection.exec(command("sh", "-c", script), slow);
  const turns = async () => {
    const { streams, seen } = client();
    await node.kubelet.connection.exec(command("cat", "/tmp/i"), streams);
    return Number(seen.stdout);
  };
  // Eight of them are a mebibyte.
  expect(await atRest(turns, 8)).toBeLessThan(16);
  reading.resolve();
  expect(await exec).toEqual({ exitCode: 0 });
  expect(seen.stdout.length).toBe(64 * 131_072);
});

it("exec kills a paused program when its client disconnects", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, disconnected } = client();
  const closed = new Promise<void>((resolve) =>
    disconnected.signal.addEventListener("abort", () => resolve()),
  );
  const script = "while true; do echo $((i = i + 1)) > /tmp/i; printf '%131072s' x; done";
  const exec = node.kubelet.connection.exec(command("sh", "-c", script), {
    ...streams,
    stdout: () => closed,
  });
  const output = async (...argv: string[]) => {
    const { streams, seen } = client();
    await node.kubelet.connection.exec(command(...argv), streams);
    return seen.stdout;
  };
  await atRest(async () => Number(await output("cat", "/tmp/i")), 8);
  disconnected.abort();
  expect(await exec).toEqual({ exitCode: 137 });
  expect(await output("ps")).not.toContain("sh -c");
});

it("exec pauses a client that sends more than its process reads", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, disconnected } = client();
  let sent = 0;
  const stdin = (async function* () {
    for (; sent < 64; sent++) yield new Uint8Array(131_072);
  })();
  const exec = node.kubelet.connection.exec(
    { ...command("sleep", "infinity"), stdin: true },
    { ...streams, stdin },
  );
  const output = async () => {
    await node.kubelet.connection.exec(command("true"), client().streams);
    return sent;
  };
  expect(await atRest(output, 7)).toBeLessThan(16);
  disconnected.abort();
  await exec;
});

it("attach reaches a waiting shell, whose exit ends the container", async () => {
  await running(podOf("payment", [{ image: "busybox", stdin: true, tty: true }], { restartPolicy: "Never" }));
  const { streams, seen, stdin } = client();
  const attached = node.kubelet.connection.attach(
    { ...target, tty: true, stdin: true, stdout: true, stderr: false },
    streams,
  );
  stdin.write(Buffer.from("echo hello\r"));
  await until(
    async () => seen.stdout,
    (text) => text.includes("\nhello\r\n"),
  );
  stdin.write(Buffer.from("exit 4\r"));
  await attached;
  const pod = await until(getPod(node.client, "payment"), ({ status }) => status?.phase === "Failed");
  expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
    exitCode: 4,
    reason: "Error",
  });
});

it("logs supports tail, timestamps, limits, the previous run and followers", async () => {
  const script = "echo one; echo two; echo three; sleep 0.2; echo four; exit 1";
  await running(podOf("payment", [{ image: "busybox", command: ["sh", "-c", script] }]));
  const { connection } = node.kubelet;
  const logs = (options: object) =>
    read(connection.logs({ ...target, signal: AbortSignal.timeout(5000), ...options }));
  expect(await logs({ follow: true })).toBe("one\ntwo\nthree\nfour\n");
  await until(
    getPod(node.client, "payment"),
    (pod) => pod.status?.containerStatuses?.[0]?.restartCount === 1,
  );
  expect(await logs({ previous: true, tailLines: 2 })).toBe("three\nfour\n");
  expect(await logs({ previous: true, limitBytes: 5 })).toBe("one\nt");
  expect(await logs({ previous: true, timestamps: true })).toMatch(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z \w+\n){4}$/,
  );
  expect(await logs({ previous: true, sinceTime: "2999-01-01T00:00:00Z" })).toBe("");
  await expect(logs({ container: "nope" })).rejects.toMatchObject({
    code: 404,
    message: 'container "nope" not found in pod "payment"',
  });
});

it("logs rejects a request for the previous run during the first one", async () => {
  await running(podOf("payment", [{ image: "payment:1.0.0" }]));
  const logs = read(
    node.kubelet.connection.logs({ ...target, previous: true, signal: AbortSignal.timeout(5000) }),
  );
  await expect(logs).rejects.toMatchObject({
    code: 400,
    message: 'previous terminated container "main" in pod "payment" not found',
  });
});

it("exec passes the terminal's size and its changes to the program", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { streams, seen, stdin } = client();
  const changed = Promise.withResolvers<void>();
  const resize = (async function* () {
    yield { width: 80, height: 24 };
    await changed.promise;
    yield { width: 120, height: 50 };
  })();
  const request = { ...command("sh"), tty: true, stdin: true };
  const ended = node.kubelet.connection.exec(request, { ...streams, resize });
  const shows = (text: string) =>
    until(
      async () => seen.stdout,
      (stdout) => stdout.includes(text),
    );
  stdin.write(Buffer.from("trap 'echo window changed' WINCH; stty size\r"));
  await shows("\n24 80\r\n");
  changed.resolve();
  stdin.write(Buffer.from("sleep 0.01\r"));
  await shows("\nwindow changed\r\n");
  stdin.write(Buffer.from("stty size; exit\r"));
  await shows("\n50 120\r\n");
  expect(await ended).toEqual({ exitCode: 0 });
});

it("exec ends a terminal session only after the first size has arrived", async () => {
  await running(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
  const { connection } = node.kubelet;
  const sent = Promise.withResolvers<void>();
  const resize = (async function* () {
    await sent.promise;
    yield { width: 80, height: 24 };
  })();
  let ended = false;
  const session = connection
    .exec({ ...command("nope"), tty: true }, { ...client().streams, resize })
    .catch((error: Error) => {
      ended = true;
      return error;
    });
  // The same command without a terminal ends at once.
  await expect(connection.exec(command("nope"), client().streams)).rejects.toThrow(
    "executable file not found",
  );
  expect(ended).toBe(false);
  sent.resolve();
  expect(String(await session)).toContain("executable file not found");
});
