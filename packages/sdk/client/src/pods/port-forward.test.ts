import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { type NodeConnection, startApiServer } from "@operator-path/apiserver";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { isNotFound } from "../errors.ts";
import { thrownBy } from "../kube-config/testing/listen.ts";
import { pods, serviceAccounts } from "../resources.ts";
import { type PortForwardOptions, portForward } from "./port-forward.ts";
import { startPodScene } from "./testing/pod-scene.ts";

const web = { namespace: "default", name: "web" };

/** Serves a Pod. Its port 7 echoes the input after the input has ended. Its other ports are closed. */
async function start() {
  const open = new Set<Duplex>();
  const node = {
    async portForward({ port }: { port: number }) {
      if (port !== 7) throw new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
      const [near, far] = duplexPair();
      far.on("error", () => {});
      open.add(near.once("close", () => open.delete(near)));
      const heard: Buffer[] = [];
      far.on("data", (chunk: Buffer) => heard.push(chunk));
      far.once("end", () => far.end(Buffer.concat(heard)));
      return near;
    },
  } as unknown as NodeConnection;
  const server = await startApiServer({ connectNode: () => node });
  const client = createClient(server.kubeConfig());
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  await client
    .resource(serviceAccounts)
    .namespace("default")
    .create({ metadata: { name: "default" } });
  const containers = [{ name: "main", image: "x" }];
  await client
    .resource(pods)
    .namespace("default")
    .create({ metadata: { name: "web" }, spec: { nodeName: "node", containers } });
  return {
    ...{ server, client, open },
    async forward(ports: Parameters<typeof portForward>[2], options?: PortForwardOptions) {
      const forwarding = await portForward(client, web, ports, options);
      onTestFinished(() => forwarding.close());
      return forwarding;
    },
  };
}

/** Sends text on a connection, ends its half, and returns the answer. */
function ask(port: number, what: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(what);
  return text(socket);
}

test("reaches a web server in a Pod of the embedded cluster", async () => {
  const scene = await startPodScene();
  const pod = await scene.run("nginx", [{ image: "nginx", ports: [{ containerPort: 80 }] }]);
  await using forwarding = await portForward(scene.client, pod, [80]);
  const [port] = forwarding.ports;
  expect(port).toEqual({ local: expect.any(Number), remote: 80 });
  for (let i = 0; i < 2; i++) {
    expect(await (await fetch(`http://127.0.0.1:${port?.local}/`)).text()).toContain("Welcome to nginx!");
  }
});

describe("port-forward", () => {
  test("carries several connections at once, each half until its end", async () => {
    const { forward, open } = await start();
    const { ports } = await forward([7]);
    const [local = 0] = ports.map((port) => port.local);
    const texts = ["a".repeat(3_000_000), "b", ""];
    expect(await Promise.all(texts.map((each) => ask(local, each)))).toEqual(texts);
    expect(open.size).toBe(0);
  });

  test("listens on the requested local port, and rejects a port that is in use", async () => {
    const { forward, client } = await start();
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const local = (taken.address() as AddressInfo).port;
    const refused = await thrownBy(portForward(client, web, [7, { local, remote: 7 }]));
    expect(refused).toMatchObject({ code: "EADDRINUSE" });
    taken.close();
    await once(taken, "close");
    const { ports } = await forward([{ local, remote: 7 }]);
    expect(ports).toEqual([{ local, remote: 7 }]);
    expect(await ask(local, "hello")).toBe("hello");
  });

  test("resets a connection to a closed port, reports the reason, and serves the others", async () => {
    const { forward } = await start();
    const errors: Error[] = [];
    const { ports } = await forward([7, 8], { onError: (error) => errors.push(error) });
    const [good = 0, bad = 0] = ports.map(({ local }) => local);
    expect(await thrownBy(ask(bad, "x"))).toMatchObject({ code: "ECONNRESET" });
    expect(errors).toMatchObject([
      {
        ...{ name: "PortForwardError", port: { local: bad, remote: 8 } },
        message: "port 8 of Pod default/web: dial tcp4 127.0.0.1:8: connect: connection refused",
      },
    ]);
    expect(await ask(good, "y")).toBe("y");
  });

  test.each(["close", "signal"])("ends with its %s: no listener, no connection in the Pod", async (by) => {
    const { forward, open, client } = await start();
    const abort = new AbortController();
    const forwarding = await forward([7], { signal: abort.signal });
    const { local = 0 } = forwarding.ports[0] ?? {};
    const socket = connect(local, "127.0.0.1").on("error", () => {});
    socket.write("x");
    await expect.poll(() => open.size).toBe(1);
    if (by === "signal") abort.abort(new Error("enough"));
    await forwarding.close();
    await expect.poll(() => open.size).toBe(0);
    expect(await thrownBy(ask(local, "x"))).toMatchObject({ code: "ECONNREFUSED" });
    expect(
      (await thrownBy(portForward(client, web, [7], { signal: AbortSignal.abort(new Error("no")) }))).message,
    ).toBe("no");
  });

  test("throws the server's Status of a refusal, and rejects an invalid port before any request", async () => {
    const { client } = await start();
    expect(isNotFound(await thrownBy(portForward(client, { ...web, name: "nope" }, [7])))).toBe(true);
    for (const ports of [[], [0], [65_536], [1.5], [{ local: -1, remote: 7 }]]) {
      expect((await thrownBy(portForward(client, web, ports))).name).toBe("UsageError");
    }
  });

  test("opens another WebSocket when the current one breaks", async () => {
    const { server, client: direct } = await start();
    const target = new URL(server.url);
    const between = new Set<Duplex>();
    const proxy = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) between.add(socket.on("error", () => {}));
      near.pipe(far).pipe(near);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void proxy.close());
    await once(proxy, "listening");
    const kubeConfig = server.kubeConfig();
    const { port } = proxy.address() as AddressInfo;
    kubeConfig.clusters = kubeConfig.clusters.map((one) => ({ ...one, server: `https://127.0.0.1:${port}` }));
    const client = createClient(kubeConfig);
    const errors: Error[] = [];
    const forwarding = await portForward(client, web, [7], { onError: (error) => errors.push(error) });
    onTestFinished(async () => {
      await forwarding.close();
      await client.close();
    });
    const { local = 0 } = forwarding.ports[0] ?? {};
    const cut = connect(local, "127.0.0.1");
    cut.write("x");
    const failed = once(cut, "error");
    await expect.poll(() => between.size).toBe(2);
    for (const socket of between) socket.destroy();
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
    expect(errors).toMatchObject([
      { name: "RequestError", message: expect.stringMatching(/close code 1006/) },
    ]);
    expect(await ask(local, "again")).toBe("again");

    await direct.resource(pods).namespace("default").delete("web", { gracePeriodSeconds: 0 });
    for (const socket of between) socket.destroy();
    await expect
      .poll(async () => {
        await thrownBy(ask(local, "x"));
        return errors.some(isNotFound);
      })
      .toBe(true);
  });
});
