import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type RequestOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket, TlsOptions } from "node:tls";
import { KubeConfig } from "@kubernetes/client-node";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { ApiError, isConflict, isNotFound, isUnauthorized } from "./api-error.ts";
import { createClient } from "./client.ts";
import { KubeConfig as OwnKubeConfig } from "./kube-config/kube-config.ts";
import { selfSigned } from "./kube-config/testing/self-signed.ts";
import { configMaps } from "./resources.ts";
import { createFakeClock } from "./testing/index.ts";
import type { TransportOptions } from "./transport.ts";

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function clientOf(listener: RequestListener, options: TransportOptions = {}) {
  return createClient(kubeConfigOf(await listen(listener)), options);
}

/** Over TLS: nobody's credentials are sent over plain HTTP. */
async function secureClientOf(listener: RequestListener) {
  const [url, caData] = await listenTls(listener);
  return createClient(kubeConfigOf(url, { caData, skipTLSVerify: false }));
}

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The base64 of its certificate belongs to the kubeconfig. */
async function listenTls(listener: RequestListener, options: TlsOptions = {}): Promise<[string, string]> {
  const serving = selfSigned();
  server = createTlsServer({ ...serving, ...options }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return [url, Buffer.from(serving.cert).toString("base64")];
}

function kubeConfigOf(url: string, cluster: { caData?: string; skipTLSVerify?: boolean } = {}): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "test", server: url, skipTLSVerify: true, ...cluster },
    { name: "me", token: "t0ken" },
  );
  return kubeConfig;
}

const thrownBy = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error) => error,
  );

describe("a request", () => {
  test("carries the token, the path, the query and a JSON body", async () => {
    const seen: { url?: string; authorization?: string; body?: unknown } = {};
    const client = await secureClientOf(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      Object.assign(seen, {
        url: request.url,
        authorization: request.headers.authorization,
        body: JSON.parse(body),
      });
      response.end(body);
    });
    const created = await client
      .resource(configMaps)
      .create(
        { metadata: { name: "a", namespace: "shop" }, data: { k: "ü" } },
        { dryRun: true, fieldManager: "me" },
      );
    expect(seen).toEqual({
      url: "/api/v1/namespaces/shop/configmaps?fieldManager=me&dryRun=All",
      authorization: "Bearer t0ken",
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", namespace: "shop" },
        data: { k: "ü" },
      },
    });
    expect(created.data).toEqual({ k: "ü" });
    await client.close();
  });

  test("whose credentials never come ends with its signal, with the client, or when they are overdue", async () => {
    const clock = createFakeClock();
    const kubeConfig = kubeConfigOf(await listen((_, response) => response.end("{}")));
    kubeConfig.applyToHTTPSOptions = () => new Promise(() => {});
    const client = createClient(kubeConfig, { clock });
    const ask = (signal?: AbortSignal) =>
      thrownBy(client.request({ method: "GET", path: "/version", ...(signal && { signal }) }));
    const reason = new Error("enough");
    expect(await ask(AbortSignal.abort(reason))).toBe(reason);
    const overdue = ask();
    await clock.advance(300_000);
    expect((await overdue).message).toMatch(
      /^GET http:.*\/version: no credentials for 300 s: does an exec plugin/,
    );
    const unfinished = thrownBy(client.stream({ method: "GET", path: "/version" }));
    await client.close();
    expect((await unfinished).message).toBe("the client was closed");
    expect(clock.pending()).toBe(0);
  });

  test("that has ended before it begins, or whose client is closed, asks nobody for credentials", async () => {
    const kubeConfig = kubeConfigOf(await listen((_, response) => response.end("{}")));
    let asked = 0;
    kubeConfig.applyToHTTPSOptions = async () => void asked++;
    const client = createClient(kubeConfig);
    const reason = new Error("enough");
    const request = { method: "GET", path: "/version" };
    expect(await thrownBy(client.request({ ...request, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await thrownBy(client.stream({ ...request, signal: AbortSignal.abort(reason) }))).toBe(reason);
    await client.request(request);
    expect(asked).toBe(1);
    await client.close();
    expect((await thrownBy(client.request(request))).message).toBe("the client was closed");
    expect(asked).toBe(1);
  });

  test("that is refused throws the server's own Status", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: 'configmaps "x" not found',
      reason: "NotFound",
      code: 404,
    };
    const client = await clientOf((_, response) => response.writeHead(404).end(JSON.stringify(status)));
    const error = await thrownBy(client.resource(configMaps).namespace("shop").get("x"));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe('configmaps "x" not found');
    expect(error.status).toEqual(status);
    expect([isNotFound(error), isConflict(error)]).toEqual([true, false]);
  });

  test("without valid credentials names the server and the user; the Status stays the server's", async () => {
    const status = {
      kind: "Status",
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    };
    const client = await secureClientOf((_, response) => response.writeHead(401).end(JSON.stringify(status)));
    const error = await thrownBy(client.resource(configMaps).list());
    expect(error.message).toMatch(
      /^GET https:\/\/127\.0\.0\.1:\d+\/api\/v1\/configmaps: Unauthorized: .* the kubeconfig's user "me"$/,
    );
    expect([error.status.message, isUnauthorized(error)]).toEqual(["Unauthorized", true]);
  });

  test("that a proxy answers with a page says so, and from where", async () => {
    const client = await clientOf((_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
    const error = await thrownBy(client.resource(configMaps).list());
    expect(error.message).toBe("GET /api/v1/configmaps: the server answered 502: <h1>Bad Gateway</h1>");
  });

  test("that is asked to wait says for how long", async () => {
    const client = await clientOf((_, response) =>
      response.writeHead(429, { "retry-after": "7" }).end("slow down"),
    );
    expect((await thrownBy(client.resource(configMaps).list())).retryAfter).toBe(7_000);
  });

  test("to nobody names the server", async () => {
    const client = await clientOf(() => {});
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await thrownBy(client.resource(configMaps).list());
    expect(error.message).toContain(`GET http://127.0.0.1:${port}/api/v1/configmaps: `);
    expect(error.message).toContain("ECONNREFUSED");
  });

  test("that is aborted rejects with the signal's reason, also after the headers", async () => {
    const client = await clientOf((_, response) => void response.writeHead(200).write('{"items":'));
    const abort = new AbortController();
    const list = thrownBy(client.resource(configMaps).list({ signal: abort.signal }));
    abort.abort(new Error("enough"));
    expect((await list).message).toBe("enough");
  });

  test.each(["headers", "body"])(
    "whose %s never come is given up, and the next one is sent anew",
    async (missing) => {
      const clock = createFakeClock();
      const asked = Promise.withResolvers<void>();
      let requests = 0;
      const client = await clientOf(
        (_, response) => {
          if (++requests > 1) return void response.end('{"items":[]}');
          if (missing === "body") response.writeHead(200).write("{");
          asked.resolve();
        },
        { clock },
      );
      const list = thrownBy(client.resource(configMaps).list());
      await asked.promise;
      await clock.advance(75_000);
      expect((await list).message).toMatch(/^GET http:.*\/api\/v1\/configmaps: no answer for 75 s$/);
      expect((await client.resource(configMaps).list()).items).toEqual([]);
      expect(clock.pending()).toBe(0);
    },
  );

  test("on a kept connection that the server has just closed is sent again, if it is a GET", async () => {
    const client = await clientOf((request, response) => {
      if (seen.has(request.socket)) return void request.socket.destroy();
      seen.add(request.socket);
      response.end('{"items":[]}');
    });
    const seen = new Set<unknown>();
    const resource = client.resource(configMaps).namespace("shop");
    await resource.list();
    await resource.list();
    expect(seen.size).toBe(2);
    await expect(resource.create({ metadata: { name: "a" } })).rejects.toThrow(/ECONNRESET|hang up/);
    await client.close();
  });

  test("uses new connections once the client certificate has changed", async () => {
    const ports = new Set<number | undefined>();
    const kubeConfig = kubeConfigOf(
      await listen(({ socket }, response) => {
        ports.add(socket.remotePort);
        response.end('{"items":[]}');
      }),
    );
    let cert = "first";
    const apply = kubeConfig.applyToHTTPSOptions.bind(kubeConfig);
    kubeConfig.applyToHTTPSOptions = async (options) => {
      await apply(options);
      Object.assign(options, { cert: Buffer.from(cert) });
    };
    const client = createClient(kubeConfig);
    await client.resource(configMaps).list();
    await client.resource(configMaps).list();
    expect(ports.size).toBe(1);
    cert = "second";
    await client.resource(configMaps).list();
    expect(ports.size).toBe(2);
    await client.close();
  });

  test("goes through the proxy that the kubeconfig names, on one kept connection until the client closes", async () => {
    const seen: (string | undefined)[] = [];
    const ends: Promise<unknown>[] = [];
    const proxyUrl = await listen((request, response) => {
      seen.push(request.url);
      response.end('{"items":[]}');
    });
    server.on("connect", (request, socket) => {
      seen.push(`tunnel to ${request.url}`);
      ends.push(once(socket, "close"));
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.emit("connection", socket);
    });
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: "http://apiserver.invalid", skipTLSVerify: true, proxyUrl },
      { name: "me" },
    );
    let cert = "first";
    const apply = kubeConfig.applyToHTTPSOptions.bind(kubeConfig);
    kubeConfig.applyToHTTPSOptions = async (options) => {
      await apply(options);
      Object.assign(options, { cert });
    };
    const client = createClient(kubeConfig);
    const list = () => client.resource(configMaps).list();
    await list();
    await list();
    const [tunnel, request] = ["tunnel to apiserver.invalid:80", "/api/v1/configmaps"];
    expect(seen).toEqual([tunnel, request, request]);
    cert = "second";
    await list();
    expect(seen).toEqual([tunnel, request, request, tunnel, request]);
    await client.close();
    await Promise.all(ends);
  });

  test("that is refused for its credentials fails, and an exec plugin is asked anew for the next one", async () => {
    const seen: (string | undefined)[] = [];
    const [url, caData] = await listenTls(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(seen.length === 1 ? 401 : 200).end('{"items":[]}');
    });
    const program = `const answer = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: String(process.pid) } };
      console.log(JSON.stringify(answer))`;
    const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
    const kubeConfig = new OwnKubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: url, caData },
      { name: "me", exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec } },
    );
    const client = createClient(kubeConfig);
    const list = () => client.resource(configMaps).list();
    expect(isUnauthorized(await thrownBy(list()))).toBe(true);
    await list();
    await list();
    expect(seen[1]).toMatch(/^Bearer \d+$/);
    expect(seen).toEqual([expect.not.stringMatching(`^${seen[1]}$`), seen[1], seen[1]]);
    await client.close();
  });

  test("carries an exec plugin's client certificate, on a new connection once there is another", async () => {
    const pairs = [selfSigned(), selfSigned()];
    const folder = mkdtempSync(join(tmpdir(), "plugin-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "pairs");
    writeFileSync(file, JSON.stringify(pairs));
    const seen: { certificate: string; port: number | undefined }[] = [];
    const listener: RequestListener = ({ socket }, response) => {
      const certificate = (socket as TLSSocket).getPeerX509Certificate()?.toString() ?? "";
      seen.push({ certificate, port: socket.remotePort });
      response.writeHead(seen.length === 1 ? 401 : 200).end('{"items":[]}');
    };
    const [url, caData] = await listenTls(listener, { requestCert: true, rejectUnauthorized: false });
    const program = `const fs = require("node:fs");
      const [{ cert, key }, ...rest] = JSON.parse(fs.readFileSync(${JSON.stringify(file)}, "utf8"));
      fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(rest));
      const status = { clientCertificateData: cert, clientKeyData: key };
      console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status }))`;
    const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
    const kubeConfig = new OwnKubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: url, caData },
      { name: "me", exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec } },
    );
    const client = createClient(kubeConfig);
    const list = () => client.resource(configMaps).list();
    expect(isUnauthorized(await thrownBy(list()))).toBe(true);
    await list();
    await list();
    expect(seen.map(({ certificate }) => certificate)).toEqual([
      pairs[0]?.cert,
      pairs[1]?.cert,
      pairs[1]?.cert,
    ]);
    expect(new Set(seen.map(({ port }) => port)).size).toBe(2);
    await client.close();
  });

  test.each([
    ["ours", () => new OwnKubeConfig()],
    ["client-node's", () => new KubeConfig()],
  ])("has the credentials of the context in which its client was made: %s", async (_, create) => {
    const seen: (string | undefined)[] = [];
    const [url, caData] = await listenTls(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(401).end(JSON.stringify({ kind: "Status", message: "Unauthorized" }));
    });
    const kubeConfig = create();
    kubeConfig.loadFromOptions({
      clusters: [
        { name: "prod", server: url, caData, skipTLSVerify: false },
        { name: "unverified", server: url, skipTLSVerify: false },
        { name: "dev", server: "https://dev.invalid", skipTLSVerify: true },
      ],
      users: ["prod", "dev"].map((name) => ({ name, token: `of-${name}` })),
      contexts: [
        { name: "prod", cluster: "prod", user: "prod" },
        { name: "unverified", cluster: "unverified", user: "prod" },
        { name: "dev", cluster: "dev", user: "dev" },
      ],
      currentContext: "prod",
    });
    const client = createClient(kubeConfig);
    kubeConfig.setCurrentContext("unverified");
    const unverified = createClient(kubeConfig);
    kubeConfig.setCurrentContext("dev");
    const error = await thrownBy(client.resource(configMaps).list());
    expect(error.message).toMatch(/the kubeconfig's user "prod"$/);
    expect((await thrownBy(unverified.resource(configMaps).list())).message).toContain("certificate");
    expect(seen).toEqual(["Bearer of-prod"]);
    await Promise.all([client.close(), unverified.close()]);
  });

  test("acts as the user, in the groups, with uid and extra that the kubeconfig names; or as whom it names itself", async () => {
    const seen: Record<string, string[]>[] = [];
    const [url, caData] = await listenTls(({ headersDistinct }, response) => {
      const headers = Object.entries(headersDistinct).filter(([name]) => name.startsWith("impersonate-"));
      seen.push(Object.fromEntries(headers) as Record<string, string[]>);
      response.end("{}");
    });
    const kubeConfig = new OwnKubeConfig();
    const user = {
      ...{ as: "jürgen", "as-groups": ["admins", "ops, and more"], "as-uid": "7" },
      "as-user-extra": { scopes: ["view", "edit"], "example.com/team%": ["a"] },
    };
    kubeConfig.loadFromString(
      JSON.stringify({
        clusters: [{ name: "a", cluster: { server: url, "certificate-authority-data": caData } }],
        users: [{ name: "me", user }],
        contexts: [{ name: "a", context: { cluster: "a", user: "me" } }],
        "current-context": "a",
      }),
    );
    const again = new OwnKubeConfig();
    again.loadFromString(kubeConfig.exportConfig());
    for (const each of [kubeConfig, again]) {
      const client = createClient(each);
      await client.request({ method: "GET", path: "/version" });
      await client.request({ method: "GET", path: "/version", headers: { "impersonate-user": "jane" } });
      await client.close();
    }
    const asKubeConfig = {
      "impersonate-user": [Buffer.from("jürgen").toString("latin1")],
      "impersonate-group": ["admins", "ops, and more"],
      "impersonate-uid": ["7"],
      "impersonate-extra-scopes": ["view", "edit"],
      "impersonate-extra-example.com%2fteam%25": ["a"],
    };
    const asJane = { "impersonate-user": ["jane"] };
    expect(seen).toEqual([asKubeConfig, asJane, asKubeConfig, asJane]);
  });

  test("has what a KubeConfig of somebody's own gives", async () => {
    class Signed extends OwnKubeConfig {
      override async applyToHTTPSOptions(options: RequestOptions): Promise<void> {
        await super.applyToHTTPSOptions(options);
        options.headers = { ...(options.headers as object), signed: "yes" };
      }
    }
    const seen: unknown[] = [];
    const [url, caData] = await listenTls(({ headers }, response) => {
      seen.push([headers.authorization, headers.signed]);
      response.end("{}");
    });
    const kubeConfig = new Signed();
    kubeConfig.loadFromClusterAndUser({ name: "test", server: url, caData }, { name: "me", token: "t0ken" });
    const client = createClient(kubeConfig);
    await client.request({ method: "GET", path: "/version" });
    expect(seen).toEqual([["Bearer t0ken", "yes"]]);
    await client.close();
  });

  const secrets = {
    ...{ token: "secret", impersonateUser: "jane", username: "me", password: "secret" },
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: "is-not-run", interactiveMode: "Never" },
  };
  test.each([
    ["ours", () => new OwnKubeConfig(), secrets],
    ["ours, with a plugin", () => new OwnKubeConfig(), { exec: secrets.exec }],
    ["client-node's", () => new KubeConfig(), secrets],
    ["client-node's, with a plugin", () => new KubeConfig(), { exec: secrets.exec }],
  ])("has nobody's credentials over plain HTTP, and no plugin is run for it: %s", async (_, create, user) => {
    const seen: (string | undefined)[] = [];
    const url = await listen(({ headers }, response) => {
      seen.push(headers.authorization, headers["impersonate-user"] as string | undefined);
      response.writeHead(401).end(JSON.stringify({ kind: "Status", message: "Unauthorized" }));
    });
    const kubeConfig = create();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: url, skipTLSVerify: true },
      { name: "me", ...user },
    );
    const client = createClient(kubeConfig);
    expect((await thrownBy(client.resource(configMaps).list())).message).toMatch(
      /Unauthorized: no credentials were sent: the kubeconfig's context has no user, or its server is plain HTTP: give it an https:\/\/ address$/,
    );
    expect(seen).toEqual([undefined, undefined]);
    await client.close();
  });

  test("that is aborted ends the exec plugin that it waits for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plugin-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "pid");
    const program = `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const exec = { command: process.execPath, args: ["-e", program], interactiveMode: "Never" };
    const [url, caData] = await listenTls(() => {});
    const kubeConfig = new OwnKubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: "test", server: url, caData },
      { name: "me", exec: { apiVersion: "client.authentication.k8s.io/v1", ...exec } },
    );
    const client = createClient(kubeConfig);
    const controller = new AbortController();
    const asked = thrownBy(client.request({ method: "GET", path: "/version", signal: controller.signal }));
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toMatch(/\d/);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await asked).toBe(reason);
    const isThere = () => {
      try {
        return process.kill(Number(readFileSync(file, "utf8")), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere).toBe(false);
    await client.close();
  });

  test("without a cluster in the kubeconfig is refused where the client is made", () => {
    expect(() => createClient(new KubeConfig())).toThrow("names no cluster");
  });
});

describe("a watch", () => {
  test("delivers events as they come, and throws when the connection breaks", async () => {
    const event = (name: string) => `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;
    const client = await clientOf((_, response) => {
      response.writeHead(200).write(event("a") + event("b").slice(0, 20));
      setImmediate(() => response.socket?.destroy());
    });
    const names: unknown[] = [];
    const watch = (async () => {
      for await (const { object } of client.resource(configMaps).watch()) names.push(object.metadata);
    })();
    await expect(watch).rejects.toThrow();
    expect(names).toEqual([{ name: "a" }]);
  });
});
