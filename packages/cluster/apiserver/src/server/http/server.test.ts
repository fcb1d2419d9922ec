import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { kubernetesVersion } from "../../generated/kubernetes.ts";
import { configMap, startTestServer } from "../../testing/test-server.ts";

const server = await startTestServer({}, { shared: true });

describe("authentication", () => {
  test.each(["/healthz", "/livez", "/readyz", "/version"])("%s needs no token", async (path) => {
    expect((await server.request("GET", path, { token: "" })).status).toBe(200);
  });

  test.each(["/api", "/apis", "/openapi/v3", "/", "/api/v1/pods", "/nothing", "/version/../api"])(
    "%s needs one",
    async (path) => {
      const answer = await server.request("GET", path, { token: "" });
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Unauthorized",
        reason: "Unauthorized",
        code: 401,
      });
    },
  );

  test.each(["wrong", `${server.token}x`, server.token.slice(0, -1), ""])(
    "a wrong token is refused, even where none is needed: %j",
    async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await server.request("GET", "/api/v1/pods", { token: "", headers })).status).toBe(401);
      expect((await server.request("GET", "/healthz", { token: "", headers })).status).toBe(401);
    },
  );

  test("the administrator's token has at least 192 bits", () => {
    expect(Buffer.from(server.token, "base64url").length).toBeGreaterThanOrEqual(24);
  });

  // A web page whose name resolves to 127.0.0.1 sends its own name.
  test.each([
    "evil.example",
    "evil.example:443",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "0.0.0.0",
  ])("refuses a request to the host %s", async (host) => {
    const answer = await server.request("GET", "/api/v1/pods", { headers: { host } });
    expect(answer.status).toBe(403);
    expect(answer.json().message).toContain("Host header must name the loopback interface");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("allows no cross-origin reads", async () => {
    const answer = await server.request("OPTIONS", "/api/v1/pods", {
      headers: { origin: "https://evil.example", "access-control-request-method": "GET" },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("TLS", () => {
  test("the certificate is valid for its authority and the loopback names", async () => {
    for (const servername of ["localhost", ""]) {
      const socket = connect({ port: server.port, host: "127.0.0.1", ca: server.caCertificate, servername });
      await new Promise<void>((resolve, reject) => {
        socket.on("secureConnect", resolve);
        socket.on("error", reject);
      });
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
  });

  test("the server listens on the loopback interface only", () => {
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  });
});

describe("bodies", () => {
  test("above 3 MiB are refused with 413", async () => {
    const body = configMap("large", { a: "x".repeat(3 * 1024 * 1024) });
    const answer = await server.request("POST", "/api/v1/namespaces/default/configmaps", { body });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: limit is 3145728",
    });
  });

  test("above 3 MiB are refused with 413 even if their length is not announced", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpsRequest(`${server.url}/api/v1/namespaces/default/configmaps`, {
        method: "POST",
        ca: server.caCertificate,
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      });
      outgoing.on("response", (message) => {
        resolve(message.statusCode);
        outgoing.destroy();
      });
      // The server may close the connection while the client is still writing.
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
      });
      const chunk = Buffer.alloc(64 * 1024, "x");
      for (let index = 0; index < 64; index++) outgoing.write(chunk);
    });
    expect(status).toBe(413);
  });

  test("may be YAML, and so may responses", async () => {
    const answer = await server.request("POST", "/api/v1/namespaces/default/configmaps", {
      body: "metadata:\n  name: yaml\ndata:\n  a: b\n",
      headers: { "content-type": "application/yaml", accept: "application/yaml" },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers["content-type"]).toBe("application/yaml");
    expect(answer.text).toContain("data:\n  a: b\n");
  });

  test("sends a list as YAML up to 3 MiB, and refuses a longer one", async () => {
    const other = await startTestServer();
    const collection = "/api/v1/namespaces/default/configmaps";
    const yaml = { headers: { accept: "application/yaml" } };
    await other.create(collection, configMap("c0", { no: "no", text: "x".repeat(500_000) }));
    const list = await other.request("GET", collection, yaml);
    expect(list.text).toContain('\n    "no": "no"\n');
    for (const name of ["c1", "c2", "c3"]) {
      await other.create(collection, configMap(name, { text: "x".repeat(1_000_000) }));
    }
    expect((await other.request("GET", collection, yaml)).status).toBe(406);
  });
});

test("reports the version of the Kubernetes release whose API it serves", async () => {
  const { json } = await server.request("GET", "/version");
  expect(json()).toMatchObject({
    major: "1",
    minor: kubernetesVersion.split(".")[1],
    gitVersion: `v${kubernetesVersion}`,
  });
});

test("ends open watches and frees the port when it stops", async () => {
  const other = await startTestServer();
  const watch = await other.watch("/api/v1/namespaces?watch=1&resourceVersion=1");
  await watch.next();
  await other.stop();
  while ((await watch.next()) !== undefined);
  const again = await startTestServer({ port: other.port });
  expect(again.port).toBe(other.port);
});

test("ends connections without a TLS handshake when it stops", async () => {
  const other = await startTestServer();
  const socket = connectTcp(other.port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  // The server accepts connections in order. After a response over a later one it has this one.
  await other.request("GET", "/livez");
  const closed = once(socket, "close");
  await other.stop();
  await closed;
});

test("rejects with node's error when the port is taken", async () => {
  await expect(startTestServer({ port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
