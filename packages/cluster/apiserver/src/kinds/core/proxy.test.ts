import { createServer } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { expect, test } from "vitest";
import type { NodeConnection } from "../../server/streaming/node-connection.ts";
import { startTestServer } from "../../testing/test-server.ts";

const namespace = "/api/v1/namespaces/default";

/** Echoes each request. `/big` is long, `/gone` breaks off. */
const web = createServer((request, response) => {
  if (request.url === "/big") return response.end(Buffer.alloc(5_000_000, "x"));
  if (request.url === "/gone") return response.destroy();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    response.writeHead(request.url === "/teapot" ? 418 : 200, { "x-made": "there" });
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
});

function dialWeb(): Duplex {
  const [near, far] = duplexPair();
  far.on("error", () => {});
  web.emit("connection", far);
  return near;
}

async function start() {
  const dialled: unknown[] = [];
  const node = {
    async portForward({ pod, port }: { pod: string; port: number }) {
      dialled.push(`${pod}:${port}`);
      if (port === 81) throw new Error("connection refused");
      return dialWeb();
    },
    api: async () => dialWeb(),
  } as unknown as NodeConnection;
  const server = await startTestServer({
    connectNode: () => node,
    async dialService(_namespace, name, port) {
      dialled.push(`${name}:${port}`);
      if (port === 81) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
      return dialWeb();
    },
  });
  await server.create(`${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  await server.create("/api/v1/nodes", { metadata: { name: "n1" } });
  await server.create(`${namespace}/pods`, {
    metadata: { name: "p" },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "x", ports: [{ containerPort: 8080 }] }] },
  });
  const status = { phase: "Running", podIP: "10.244.0.2", podIPs: [{ ip: "10.244.0.2" }] };
  await server.request("PATCH", `${namespace}/pods/p/status`, {
    body: { status },
    headers: { "content-type": "application/merge-patch+json" },
  });
  const ports = [
    { name: "http", port: 80 },
    { name: "none", port: 81 },
  ];
  await server.create(`${namespace}/services`, { metadata: { name: "s" }, spec: { ports } });
  return { server, dialled };
}

test("passes a request to the Pod unchanged, without the token", async () => {
  const { server, dialled } = await start();
  const answer = await server.request("POST", `${namespace}/pods/p/proxy/a%2Fb/c?x=1`, {
    body: "hello",
    headers: { "content-type": "text/plain", "x-mine": "1" },
  });
  expect([answer.status, answer.headers["x-made"]]).toEqual([200, "there"]);
  const seen = answer.json<{ headers: Record<string, string> }>();
  expect(seen).toMatchObject({
    method: "POST",
    url: "/a%2Fb/c?x=1",
    body: "hello",
    headers: { "x-mine": "1", "x-forwarded-proto": "https", "content-type": "text/plain" },
  });
  expect(seen.headers.authorization).toBeUndefined();
  expect(dialled).toEqual(["p:8080"]);
  expect((await server.request("GET", `${namespace}/pods/p/proxy/teapot`)).status).toBe(418);
});

test("passes the query unchanged, without the impersonation headers", async () => {
  const { server } = await start();
  const query = "?b=1+2&a=%2F&c=d%20e&flag&x=~";
  const answer = await server.request("GET", `${namespace}/pods/p/proxy/${query}`, {
    headers: {
      "impersonate-user": "kubernetes-admin",
      "impersonate-group": "system:masters",
      "impersonate-extra-scopes": "a",
    },
  });
  const seen = answer.json<{ url: string; headers: Record<string, string> }>();
  expect(seen.url).toBe(`/${query}`);
  expect(Object.keys(seen.headers).filter((name) => name.startsWith("impersonate"))).toEqual([]);
  const moved = await server.request("GET", `${namespace}/pods/p/proxy${query}`);
  expect(moved.headers.location).toBe(`${namespace}/pods/p/proxy/${query}`);
});

test("accepts the port in the path, and redirects to a path with a final slash", async () => {
  const { server, dialled } = await start();
  for (const name of [
    "pods/p:9090",
    "pods/http:p:9091",
    "services/s:80",
    "services/s:http",
    "services/http:s:http",
  ])
    expect((await server.request("GET", `${namespace}/${name}/proxy/`)).status).toBe(200);
  expect(dialled).toEqual(["p:9090", "p:9091", "s:80", "s:80", "s:80"]);
  const moved = await server.request("GET", `${namespace}/services/s:80/proxy?a=b`);
  expect([moved.status, moved.headers.location]).toEqual([301, `${namespace}/services/s:80/proxy/?a=b`]);
  expect((await server.request("GET", "/api/v1/nodes/n1/proxy/healthz")).json()).toMatchObject({
    url: "/healthz",
  });
});

test.each([
  [
    "pods/p:81/proxy/",
    503,
    "error trying to reach service: dial tcp 10.244.0.2:81: connect: connection refused",
  ],
  ["services/s:81/proxy/", 503, 'no endpoints available for service "s"'],
  ["services/s:82/proxy/", 503, 'no service port 82 found for service "s"'],
  ["services/nope:80/proxy/", 404, 'services "nope" not found'],
  ["pods/nope/proxy/", 404, 'pods "nope" not found'],
  ["pods/ftp:p:80/proxy/", 400, 'invalid pod request "ftp:p:80"'],
  ["services/a:b:c:d/proxy/", 400, 'invalid service request "a:b:c:d"'],
])("answers %s with a Status: %i", async (path, code, message) => {
  const { server } = await start();
  expect((await server.request("GET", `${namespace}/${path}`)).json()).toMatchObject({
    kind: "Status",
    code,
    message,
  });
});

test("passes on a response of any length, and reports one that breaks off", async () => {
  const { server } = await start();
  expect((await server.request("GET", `${namespace}/pods/p/proxy/big`)).text).toHaveLength(5_000_000);
  expect((await server.request("GET", `${namespace}/pods/p/proxy/gone`)).json()).toMatchObject({
    code: 503,
    message: expect.stringContaining("error trying to reach service"),
  });
});

test("refuses a user without the permission, without calling the Pod", async () => {
  const { server, dialled } = await start();
  expect((await server.request("GET", `${namespace}/pods/p/proxy/`, { token: "" })).status).toBe(401);
  expect(dialled).toEqual([]);
});
