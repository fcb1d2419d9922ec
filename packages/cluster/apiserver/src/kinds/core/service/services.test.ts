import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";

const services = "/api/v1/namespaces/default/services";
const mergePatch = { "content-type": "application/merge-patch+json" };
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { selector: { app: "x" }, ports: [{ name: "http", port: 80 }], ...spec },
});

test("include the API server's own", async () => {
  expect((await server.request("GET", `${services}/kubernetes`)).json()).toMatchObject({
    spec: { clusterIP: "10.96.0.1", ports: [{ name: "https", port: 443, targetPort: server.port }] },
  });
});

test("get unique addresses, and keep them", async () => {
  const addresses = new Set<unknown>();
  for (let index = 0; index < 20; index++) {
    const { spec } = await server.create(services, service(`s${index}`));
    addresses.add((spec as JsonObject).clusterIP);
    expect(spec).toMatchObject({
      clusterIP: expect.stringMatching(/^10\.96\.\d+\.\d+$/),
      ipFamilies: ["IPv4"],
    });
  }
  expect(addresses.size).toBe(20);
  const before = (await server.request("GET", `${services}/s0`)).json().spec as JsonObject;
  const changed = await server.request("PUT", `${services}/s0`, {
    body: service("s0", { selector: { app: "y" } }),
  });
  expect(changed.json().spec).toMatchObject({ clusterIP: before.clusterIP, selector: { app: "y" } });
});

test("may request a free address", async () => {
  await server.create(services, service("a", { clusterIP: "10.96.0.50" }));
  const answer = await server.request("POST", services, { body: service("b", { clusterIP: "10.96.0.50" }) });
  expect(answer.json()).toMatchObject({
    code: 422,
    message: expect.stringContaining("failed to allocate IP 10.96.0.50: provided IP is already allocated"),
  });
  const headless = await server.create(services, service("c", { clusterIP: "None" }));
  expect(headless.spec).toMatchObject({ clusterIP: "None", clusterIPs: ["None"] });
});

test("are refused an address outside of the range", async () => {
  const message = async (clusterIP: string) =>
    (await server.request("POST", services, { body: service("asks", { clusterIP }) })).json().message;
  expect(await message("10.97.0.1")).toBe(
    'Service "asks" is invalid: spec.clusterIPs: Invalid value: ["10.97.0.1"]: failed to allocate IP 10.97.0.1: the provided network does not match the current range',
  );
  expect(await message("10.96.255.255")).toContain("the provided network does not match the current range");
  expect(await message("fd00::1")).toBe(
    'Service "asks" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  );
});

test("are refused a node port that is out of range or taken", async () => {
  const withNodePort = (nodePort: number) =>
    service("asks", { type: "NodePort", ports: [{ port: 80, nodePort }] });
  const message = async (nodePort: number) =>
    (await server.request("POST", services, { body: withNodePort(nodePort) })).json().message;
  expect(await message(5)).toBe(
    'Service "asks" is invalid: spec.ports[0].nodePort: Invalid value: 5: provided port is not in the valid range. The range of valid ports is 30000-32767',
  );
  await server.create(
    services,
    service("has", { type: "NodePort", ports: [{ port: 80, nodePort: 30_600 }] }),
  );
  expect(await message(30_600)).toContain("Invalid value: 30600: provided port is already allocated");
});

test("of type NodePort get node ports, and keep them", async () => {
  const ports = [
    { name: "a", port: 80 },
    { name: "b", port: 81, nodePort: 30_500 },
  ];
  const created = await server.create(services, service("s", { type: "NodePort", ports }));
  const [a, b] = (created.spec as { ports: { nodePort: number }[] }).ports;
  expect(a?.nodePort).toBeGreaterThanOrEqual(30_000);
  expect(a?.nodePort).toBeLessThanOrEqual(32_767);
  expect(b?.nodePort).toBe(30_500);
  const body = { spec: { sessionAffinity: "ClientIP" } };
  const patched = (await server.request("PATCH", `${services}/s`, { body, headers: mergePatch })).json();
  expect(patched.spec).toMatchObject({ ports: [{ nodePort: a?.nodePort }, { nodePort: 30_500 }] });
});

test("get one node port for a port of two protocols", async () => {
  const ports = [
    { name: "dns", port: 53, protocol: "UDP" },
    { name: "dns-tcp", port: 53, protocol: "TCP" },
    { name: "metrics", port: 9153 },
  ];
  const created = await server.create(services, service("dns", { type: "NodePort", ports }));
  const [udp, tcp, metrics] = (created.spec as { ports: { nodePort: number }[] }).ports;
  expect(udp?.nodePort).toBeGreaterThanOrEqual(30_000);
  expect(tcp?.nodePort).toBe(udp?.nodePort);
  expect(metrics?.nodePort).not.toBe(udp?.nodePort);
});

test("cannot have one node port twice", async () => {
  const ports = [
    { name: "a", port: 80, nodePort: 30_700 },
    { name: "b", port: 81, nodePort: 30_700 },
  ];
  const body = service("s", { type: "NodePort", ports });
  const created = await server.request("POST", services, { body });
  expect(created.json().message).toContain(
    "spec.ports[1].nodePort: Invalid value: 30700: provided port is already allocated",
  );
  await server.create(services, service("s", { type: "NodePort" }));
  const updated = await server.request("PUT", `${services}/s`, { body });
  expect(updated.json().message).toContain("spec.ports[1].nodePort: Duplicate value: 30700");
});

test("of type ExternalName have no address", async () => {
  const spec = { type: "ExternalName", externalName: "example.com", selector: null, ports: null };
  const created = await server.create(services, service("s", spec));
  expect(created.spec).not.toHaveProperty("clusterIP");
});
