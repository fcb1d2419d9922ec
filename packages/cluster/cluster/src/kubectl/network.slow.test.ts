import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";
import { type Forwarding, portForward } from "../testing/port-forward.ts";
import { until } from "../testing/process.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
  await bench.ok("create deployment web --image=nginx:1.27.5 --port=80");
  await bench.ok("expose deployment web --port=8080 --target-port=80 --type=LoadBalancer");
  await bench.ok("run cache --image=memcached:1.6.39 --port=11211 --expose");
  await bench.ok("run box --image=busybox --command -- sleep infinity");
  await bench.ok("wait --for=condition=Ready pod --all --timeout=50s");
});
afterAll(async () => {
  expect(bench.failures.filter((failure) => failure.endsWith(" 500"))).toEqual([]);
  await bench.stop();
});

const spdyOnly = { KUBECTL_PORT_FORWARD_WEBSOCKETS: "false", KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false" };

async function forward(command: string, env?: Record<string, string>): Promise<Forwarding> {
  const forwarding = await portForward(bench, command, env);
  onTestFinished(() => forwarding.stop());
  return forwarding;
}

/** Sends everything, then reads to the end. */
async function exchange(port: number, sent: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(sent);
  return text(socket);
}

describe.each([
  ["tunnelled in a WebSocket", {}],
  ["as older versions do it", spdyOnly],
])("port-forward, %s", (_name, env) => {
  test("to a Pod: a page, a second one over the same connection, and one in parallel", async () => {
    const pod = (await bench.ok("get pod -l app=web -o name")).trim();
    const { ports } = await forward(`${pod} :80`, env);
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`http://127.0.0.1:${ports[0]}/`)));
    for (const answer of answers) expect(await answer.text()).toContain("Welcome to nginx!");
    expect((await fetch(`http://127.0.0.1:${ports[0]}/nope`)).status).toBe(404);
    expect(await bench.ok(`logs ${pod}`)).toContain('"GET /nope HTTP/1.1" 404');
  });

  test("to a Service and a Deployment, several ports", async () => {
    const { ports } = await forward("service/web :8080", env);
    expect((await fetch(`http://127.0.0.1:${ports[0]}/`)).status).toBe(200);
    const both = await forward("deployment/web :80 :81", env);
    expect(both.ports).toHaveLength(2);
    expect((await fetch(`http://127.0.0.1:${both.ports[0]}/`)).status).toBe(200);
  });

  test("large data arrives complete in both directions, and one half may be closed first", async () => {
    const { ports } = await forward("pod/cache :11211", env);
    const item = "0123456789".repeat(100_000);
    const items = Array.from({ length: 12 }, (_, i) => `set k${i} 0 0 ${item.length}\r\n${item}\r\n`).join(
      "",
    );
    expect(await exchange(ports[0] as number, items)).toBe("STORED\r\n".repeat(12));
    const all = await exchange(
      ports[0] as number,
      `get ${Array.from({ length: 12 }, (_, i) => `k${i}`).join(" ")}\r\n`,
    );
    expect(all.split(item)).toHaveLength(13);
  });

  test("to a port without a listener: the connection ends, and kubectl reports why", async () => {
    const forwarding = await forward("pod/cache :7", env);
    await exchange(forwarding.ports[0] as number, "hello").catch(() => {});
    await until(() => /error forwarding port 7 to pod cache.*connection refused/.test(forwarding.output()));
  });

  test("to a Pod that is deleted: the connection breaks", async () => {
    await bench.ok("run brief --image=memcached --port=11211");
    await bench.ok("wait --for=condition=Ready pod/brief --timeout=50s");
    const { ports } = await forward("pod/brief :11211", env);
    const socket = connect(ports[0] as number, "127.0.0.1");
    socket.write("version\r\n");
    await once(socket, "data");
    // It may break with an error.
    const closed = new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
    await bench.ok("delete pod brief --now");
    await closed;
  });
});

test("exec over SPDY: input, output, exit code", async () => {
  const script = "exec -i box -- sh -c 'cat; echo oh >&2; exit 3'";
  expect(await bench.run(script, { input: "hello\n", env: spdyOnly })).toEqual({
    code: 3,
    stdout: "hello\n",
    stderr: "oh\ncommand terminated with exit code 3\n",
  });
});

test("this machine reaches the address of a load balancer, and a node port", async () => {
  const ask = (path: string) => bench.ok(`get service web -o jsonpath={${path}}`);
  await until(async () => (await ask(".status.loadBalancer.ingress[0].ip")) !== "");
  const ip = await ask(".status.loadBalancer.ingress[0].ip");
  expect(await bench.ok("get service web")).toContain(` ${ip} `);
  expect((await fetch(`http://${ip}:8080/`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${await ask(".spec.ports[0].nodePort")}/`)).status).toBe(200);
});

test("Pods find Services by name, and a Service without Pods refuses connections", async () => {
  for (const name of ["web:8080", "web.default:8080", "web.default.svc.cluster.local:8080"])
    expect(await bench.ok(`exec box -- wget -qO- http://${name}`)).toContain("Welcome to nginx!");
  expect(await bench.ok("exec box -- nslookup web")).toContain(
    `Address: ${await bench.ok("get service web -o jsonpath={.spec.clusterIP}")}\n`,
  );
  await bench.ok("create service clusterip empty --tcp=80");
  expect((await bench.run("exec box -- wget -qO- http://empty")).stderr).toContain("Connection refused");
  expect((await bench.run("exec box -- wget -qO- http://nope")).stderr).toContain("bad address 'nope'");
});

test("the API server proxies requests to Pods, Services and nodes", async () => {
  const pod = (await bench.ok("get pod -l app=web -o jsonpath={.items[0].metadata.name}")).trim();
  const namespace = "/api/v1/namespaces/default";
  expect(await bench.ok(`get --raw ${namespace}/pods/${pod}/proxy/`)).toContain("Welcome to nginx!");
  expect(await bench.ok(`get --raw ${namespace}/services/web:8080/proxy/`)).toContain("Welcome to nginx!");
  expect(await bench.ok("get --raw /api/v1/nodes/dev-control-plane/proxy/healthz")).toBe("ok");
  expect(await bench.refused(`get --raw ${namespace}/services/web:9/proxy/`)).toBe(
    'Error from server (ServiceUnavailable): no service port 9 found for service "web"',
  );
});

test("a client that reads nothing slows no other client", async () => {
  const { ports } = await forward("pod/cache :11211");
  const item = "x".repeat(1_000_000);
  await exchange(ports[0] as number, `set big 0 0 ${item.length}\r\n${item}\r\n`);
  const stuck = connect(ports[0] as number, "127.0.0.1");
  onTestFinished(() => void stuck.destroy());
  stuck.pause();
  stuck.write("get big\r\n".repeat(100));
  const other = await forward("pod/cache :11211");
  expect(await exchange(other.ports[0] as number, "version\r\n")).toBe("VERSION 1.6.39\r\n");
  expect(await bench.ok("get pods box -o name")).toBe("pod/box\n");
});
