import type { RequestListener } from "node:http";
import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ClientOptions, createClient } from "./client.ts";
import { ApiError, isConflict, isNotFound, isUnauthorized, RequestError } from "./errors.ts";
import { kubeConfigOf, listen, secureClientOf, thrownBy } from "./kube-config/testing/listen.ts";
import { configMaps, pods } from "./resources.ts";
import { createFakeClock } from "./testing/index.ts";

async function clientOf(listener: RequestListener, options: ClientOptions = {}) {
  const { url } = await listen(listener);
  return createClient(kubeConfigOf(url), options);
}

describe("a request", () => {
  test("sends the token, the path, the query and a JSON body", async () => {
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

  test("throws the server's own Status when it is refused", async () => {
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
    expect(error.request).toEqual({
      method: "GET",
      url: expect.stringMatching(/^http:.*\/namespaces\/shop\/configmaps\/x$/),
    });
    expect([isNotFound(error), isConflict(error)]).toEqual([true, false]);
  });

  test("names the server and the user after a 401, and keeps the server's Status", async () => {
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

  test("quotes the page and the URL when a proxy answers", async () => {
    const client = await clientOf((_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
    const error = await thrownBy(client.resource(configMaps).list());
    expect(error.message).toBe("GET /api/v1/configmaps: the server answered 502: <h1>Bad Gateway</h1>");
  });

  test("is repeated after Retry-After, and reports a Retry-After that is too long", async () => {
    const clock = createFakeClock();
    const asked: (string | undefined)[] = [];
    const client = await clientOf(
      ({ method }, response) => {
        const retryAfter = asked.push(method) < 3 ? "7" : "3600";
        response.writeHead(429, { "retry-after": retryAfter }).end("slow down");
      },
      { clock },
    );
    const list = thrownBy(client.resource(configMaps).list());
    for (const sent of [1, 2]) {
      await vi.waitUntil(() => asked.length === sent && clock.pending() === 1);
      await clock.advance(7_000);
    }
    expect((await list).retryAfter).toBe(3_600_000);
    expect(asked).toEqual(["GET", "GET", "GET"]);
  });

  test("stops waiting for its turn or for Retry-After when the client closes", async () => {
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const client = await clientOf(
      (_, response) => {
        response.writeHead(429, { "retry-after": "7" }).end("slow down", () => resolve());
      },
      { clock: createFakeClock(), qps: 1, burst: 1 },
    );
    const waiting = [thrownBy(client.resource(configMaps).list()), thrownBy(client.resource(pods).list())];
    await answered;
    await client.close();
    const messages = (await Promise.all(waiting)).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching("the client was closed"),
      expect.stringMatching("the client was closed"),
    ]);
  });

  test("without an answer rejects with a RequestError that has the request and the cause", async () => {
    const { server, url } = await listen(() => {});
    const closed = createClient(kubeConfigOf(url));
    await new Promise((resolve) => server.close(resolve));
    const refused = await thrownBy(closed.resource(configMaps).list({ limit: 1, continue: "secret" }));
    await closed.close();
    const afterClose = await thrownBy(closed.resource(configMaps).list());
    const clock = createFakeClock();
    const silent = await clientOf(() => {}, { clock });
    const list = thrownBy(silent.resource(configMaps).list());
    await vi.waitUntil(() => clock.pending() > 0);
    await clock.advance(75_000);
    const request = { method: "GET", url: `${url}/api/v1/configmaps` };
    expect(refused).toBeInstanceOf(RequestError);
    expect(refused.message).toMatch(/^GET http:.*\/api\/v1\/configmaps: .*ECONNREFUSED/);
    expect(refused).toMatchObject({ request, timedOut: false, isAborted: false, code: "ECONNREFUSED" });
    expect(refused.cause).toMatchObject({ code: "ECONNREFUSED" });
    expect(afterClose).toMatchObject({ request, timedOut: false, isAborted: true });
    expect(afterClose.message).toBe(`GET ${request.url}: the client was closed`);
    expect(await list).toMatchObject({ name: "RequestError", timedOut: true, isAborted: false });
  });

  test("rejects with the signal's reason when it is aborted, even after the headers", async () => {
    const client = await clientOf((_, response) => void response.writeHead(200).write('{"items":'));
    const abort = new AbortController();
    const list = thrownBy(client.resource(configMaps).list({ signal: abort.signal }));
    abort.abort(new Error("enough"));
    expect((await list).message).toBe("enough");
  });

  test.each(["headers", "body"])(
    "is given up if its %s never arrive, and the next one uses a new connection",
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

  test("is repeated if it is a GET on a kept-alive connection that the server has just closed", async () => {
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
    // Repeated for each further connection that the server has closed.
    await Promise.all([resource.list(), resource.list(), resource.list()]);
    await resource.list();
    await expect(resource.create({ metadata: { name: "a" } })).rejects.toThrow(/ECONNRESET|hang up/);
    await client.close();
  });

  test("passes the server's warnings to the client's handler, including those of a refusal", async () => {
    const warnings: unknown[] = [];
    const client = await clientOf(
      ({ url }, response) => {
        // In two headers, and in one. One text has quotes and a comma.
        response.setHeader("Warning", [
          '299 - "unknown field \\"spec.replicaz\\", ignored"',
          '299 - "b", 199 proxy "c"',
        ]);
        if (url?.endsWith("/x")) response.writeHead(404);
        response.end("{}");
      },
      {
        onWarning: ({ code, text }, { method, path }) => warnings.push(`${code} ${method} ${path}: ${text}`),
      },
    );
    const inShop = client.resource(configMaps).namespace("shop");
    await inShop.create({ metadata: { name: "a" } });
    await expect(inShop.get("x")).rejects.toThrow("404");
    const path = "/api/v1/namespaces/shop/configmaps";
    expect(warnings).toEqual([
      `299 POST ${path}: unknown field "spec.replicaz", ignored`,
      `299 POST ${path}: b`,
      `199 POST ${path}: c`,
      `299 GET ${path}/x: unknown field "spec.replicaz", ignored`,
      `299 GET ${path}/x: b`,
      `199 GET ${path}/x: c`,
    ]);
  });

  test("writes each of the server's warnings to stderr once if there is no handler", async () => {
    const write = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => write.mockRestore());
    const client = await clientOf((_, response) =>
      response.setHeader("Warning", '299 - "old", 299 - "", 214 proxy "other"').end("{}"),
    );
    for (let i = 0; i < 3; i++) await client.request({ method: "GET", path: "/version" });
    expect(write.mock.calls).toEqual([["Warning: old"]]);
  });

  test("is impossible without a cluster in the kubeconfig: creating the client throws", () => {
    expect(() => createClient(new KubeConfig())).toThrow("names no cluster");
  });
});

describe("a watch", () => {
  test("delivers events as they arrive, and throws when the connection breaks", async () => {
    const event = (name: string) => `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;
    const client = await clientOf((_, response) => {
      response.writeHead(200).write(event("a") + event("b").slice(0, 20));
      setImmediate(() => response.socket?.destroy());
    });
    const names: unknown[] = [];
    const watch = (async () => {
      for await (const { object } of client.resource(configMaps).watch()) names.push(object.metadata);
    })();
    const broken = { name: "RequestError", code: "ECONNRESET", request: { method: "GET" } };
    await expect(watch).rejects.toMatchObject(broken);
    expect(names).toEqual([{ name: "a" }]);
  });
});
