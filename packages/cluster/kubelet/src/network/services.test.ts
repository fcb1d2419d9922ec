import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { startApiServer } from "@operator-path/apiserver";
import {
  type Client,
  createClient,
  defineResource,
  type EndpointSlice,
  events,
  type Service,
  services,
} from "@operator-path/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../testing/node.ts";
import { type ClusterNetwork, startClusterNetwork } from "./cluster-network.ts";

const endpointSlices = defineResource<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

let client: Client;
let network: ClusterNetwork;
let stop: () => Promise<void>;
beforeEach(async () => {
  const server = await startApiServer();
  client = createClient(server.kubeConfig());
  network = await startClusterNetwork({ client, apiServerPort: server.port });
  stop = async () => {
    await network.stop();
    await client.close();
    await server.stop();
  };
});
afterEach(() => stop());

/** Attaches a Pod that sends its name to each client and closes. */
function pod(ip: string): void {
  network.pods.attach(ip).listen(8080, { accept: (connection) => void connection.end(ip).resume() });
}

function create(name: string, spec: Service["spec"]): Promise<Service> {
  return client
    .resource(services)
    .namespace("default")
    .create({ apiVersion: "v1", kind: "Service", metadata: { name }, spec });
}

async function endpoints(service: string, list: EndpointSlice["endpoints"]): Promise<void> {
  const slices = client.resource(endpointSlices).namespace("default");
  const slice: EndpointSlice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: service, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: list,
  };
  const present = await slices.get(service).catch(() => undefined);
  if (present) await slices.update({ ...present, endpoints: list });
  else await slices.create(slice);
}

const ready = (ip: string, more: object = {}) => ({ addresses: [ip], conditions: { ready: true }, ...more });
const port = { name: "http", port: 80, targetPort: 8080 };

async function answerOf(host: string, number = 80, from?: string): Promise<string> {
  try {
    const connection = await network.pods.dial(host, number, from === undefined ? {} : { from });
    let text = "";
    connection.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(connection, "end");
    connection.destroy();
    return text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const eventually = (ask: () => Promise<string>, wanted: string | RegExp) =>
  until(ask, (text) => (typeof wanted === "string" ? text === wanted : wanted.test(text)));

test("a Service's name and address lead to a ready Pod, or are refused without one", async () => {
  pod("10.244.0.2");
  pod("10.244.0.3");
  const { spec } = await create("web", { selector: { app: "web" }, ports: [port] });
  const refused = `dial tcp ${spec?.clusterIP}:80: connect: connection refused`;
  await eventually(() => answerOf("web.default.svc"), refused);
  await endpoints("web", [ready("10.244.0.2"), { addresses: ["10.244.0.3"], conditions: { ready: false } }]);
  await eventually(() => answerOf("web"), "10.244.0.2");
  expect(await answerOf(spec?.clusterIP ?? "")).toBe("10.244.0.2");
  expect(await answerOf("web", 81)).toBe(`dial tcp ${spec?.clusterIP}:81: connect: connection refused`);
  expect(await answerOf("nope")).toBe("lookup nope on 10.96.0.10:53: no such host");
  await endpoints("web", [
    { addresses: ["10.244.0.2"], conditions: { ready: false, serving: true, terminating: true } },
  ]);
  // A terminating endpoint that still serves is used when no endpoint is ready.
  await eventually(() => answerOf("web"), "10.244.0.2");
  await endpoints("web", []);
  await eventually(() => answerOf("web"), refused);
});

test("spreads connections over the endpoints, or keeps each client at one of them", async () => {
  const ips = ["10.244.0.2", "10.244.0.3", "10.244.0.4"];
  for (const ip of ips) pod(ip);
  await create("web", { ports: [port] });
  await create("sticky", { ports: [port], sessionAffinity: "ClientIP" });
  for (const name of ["web", "sticky"])
    await endpoints(
      name,
      ips.map((ip) => ready(ip)),
    );
  await eventually(() => answerOf("sticky"), /^10/);
  await eventually(() => answerOf("web"), /^10/);
  const ask = (name: string, from: string) =>
    Promise.all(Array.from({ length: 30 }, () => answerOf(name, 80, from)));
  expect(new Set(await ask("web", "10.244.0.9"))).toEqual(new Set(ips));
  expect(new Set(await ask("sticky", "10.244.0.9")).size).toBe(1);
  const clients = Array.from({ length: 20 }, (_, i) => answerOf("sticky", 80, `10.244.1.${i}`));
  expect(new Set(await Promise.all(clients)).size).toBeGreaterThan(1);
});

test("resolves headless Services to their Pods' addresses, and the names of their Pods", async () => {
  await create("db", { clusterIP: "None", ports: [port] });
  await endpoints("db", [
    ready("10.244.0.2", { hostname: "db-0" }),
    ready("10.244.0.3", { hostname: "db-1" }),
  ]);
  const resolver = network.pods.attach("10.244.0.99");
  const resolve = async (name: string) => (resolver.resolve(name) ?? ["unknown"]).join();
  await eventually(() => resolve("db"), "10.244.0.2,10.244.0.3");
  expect(await resolve("db-1.db.default.svc.cluster.local")).toBe("10.244.0.3");
  expect(await resolve("db-2.db")).toBe("unknown");
});

test("resolves an external name only if it is a name of the cluster", async () => {
  const { spec } = await create("web", { ports: [port] });
  await create("alias", { type: "ExternalName", externalName: "web.default.svc.cluster.local" });
  await create("loop", { type: "ExternalName", externalName: "loop.default.svc.cluster.local" });
  await create("outside", { type: "ExternalName", externalName: "example.com" });
  const resolver = network.pods.attach("10.244.0.99");
  const resolve = async (name: string) => (resolver.resolve(name) ?? ["unknown"]).join();
  await eventually(() => resolve("alias"), spec?.clusterIP ?? "");
  expect(await resolve("loop")).toBe("unknown");
  expect(await resolve("outside")).toBe("unknown");
});

test("gives webhooks a loopback address, or a real server's error", async () => {
  pod("10.244.0.2");
  await create("web", { ports: [port] });
  await endpoints("web", []);
  const resolve = () =>
    network.resolveService("default", "web", 80).then(String, (error: Error) => error.message);
  await eventually(resolve, 'no endpoints available for service "web"');
  await endpoints("web", [ready("10.244.0.2")]);
  await eventually(resolve, "[object Object]");
  const { host, port: number } = await network.resolveService("default", "web", 80);
  expect(host).toBe("127.0.0.1");
  expect(
    await (await import("node:stream/consumers")).text((await import("node:net")).connect(number, host)),
  ).toBe("10.244.0.2");
  await expect(network.resolveService("default", "nope", 80)).rejects.toThrow('service "nope" not found');
  await expect(network.resolveService("default", "web", 8)).rejects.toThrow(
    'no service port 8 found for service "web"',
  );
});

async function fromHere(url: string): Promise<string> {
  const { hostname, port: number } = new URL(url);
  const { connect } = await import("node:net");
  const { text } = await import("node:stream/consumers");
  return text(connect(Number(number), hostname)).catch((error: NodeJS.ErrnoException) => error.code ?? "");
}

const statusOf = async (name: string) =>
  JSON.stringify((await client.resource(services).namespace("default").get(name)).status?.loadBalancer);

/** Returns a free port. If another program takes it, the next address is tried. */
async function freePort(): Promise<number> {
  const server: Server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: number } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return number;
}

test.runIf(process.platform === "linux")(
  "opens a load balancer's address and node ports, and closes them with the Service",
  async () => {
    pod("10.244.0.2");
    const number = await freePort();
    const { spec } = await create("web", { type: "LoadBalancer", ports: [{ ...port, port: number }] });
    await endpoints("web", [ready("10.244.0.2")]);
    const status = await eventually(() => statusOf("web"), /127\.20\.0\.\d+/);
    const [ip = ""] = /127\.20\.0\.\d+/.exec(status) ?? [];
    expect(JSON.parse(status)).toEqual({
      ingress: [{ ip, ipMode: "Proxy", ports: [{ port: number, protocol: "TCP" }] }],
    });
    await eventually(() => fromHere(`http://${ip}:${number}`), "10.244.0.2");
    const nodePort = spec?.ports?.[0]?.nodePort;
    await eventually(() => fromHere(`http://127.0.0.1:${nodePort}`), "10.244.0.2");
    await client
      .resource(services)
      .namespace("default")
      .patch("web", { spec: { type: "ClusterIP" } }, { type: "merge" });
    await eventually(() => statusOf("web"), "{}");
    expect(await fromHere(`http://${ip}:${number}`)).toBe("ECONNREFUSED");
    expect(await fromHere(`http://127.0.0.1:${nodePort}`)).toBe("ECONNREFUSED");
  },
);

test.runIf(process.platform === "linux")(
  "gives two load balancers with the same port two addresses",
  async () => {
    const number = await freePort();
    const spec = { type: "LoadBalancer", ports: [{ ...port, port: number }] };
    await create("one", spec);
    await create("two", spec);
    const addresses = [
      await eventually(() => statusOf("one"), /127/),
      await eventually(() => statusOf("two"), /127/),
    ];
    expect(new Set(addresses).size).toBe(2);
  },
);

test.runIf(process.platform === "linux")("skips an address whose port another program uses", async () => {
  const number = await freePort();
  const taken = createServer().listen(number, "127.20.0.1");
  await once(taken, "listening");
  await create("web", { type: "LoadBalancer", ports: [{ ...port, port: number }] });
  const status = await eventually(() => statusOf("web"), /127\.20/);
  expect(status).not.toContain('"127.20.0.1"');
  expect(status).not.toContain("error");
  taken.close();
});

test.each(["127.77.0.1", "0.0.0.0"])(
  "assigns no address whose port another program uses at %s, and names the node port",
  async (host) => {
    const taken = createServer().listen(0, host);
    await once(taken, "listening");
    const { port: number } = taken.address() as { port: number };
    const { spec } = await create("web", {
      type: "LoadBalancer",
      ...(host === "0.0.0.0" ? {} : { loadBalancerIP: host }),
      ports: [{ ...port, port: number }],
    });
    const reasons = async () =>
      (await client.resource(events).namespace("default").list()).items
        .map(({ message }) => message)
        .join("\n");
    await eventually(
      reasons,
      new RegExp(`another program listens there\\. Use 127\\.0\\.0\\.1:${spec?.ports?.[0]?.nodePort}`),
    );
    // The address would send the Service's clients to the other program.
    expect(await statusOf("web")).not.toContain("127.");
    taken.close();
  },
);
