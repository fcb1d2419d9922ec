import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import type { UiServer } from "./create-ui-server.ts";
import { streamReply, textReply, UiError } from "./reply.ts";
import { ask, askRaw, openSession, openSocket, type Session, startServer } from "./testing/browser.ts";

let server: UiServer;
let session: Session;
/** What ran or was read. Every attack must leave it empty. */
let effects: string[] = [];
const runBody = z.object({ step: z.string().max(20) });

beforeAll(async () => {
  server = await startServer({ maxBodyBytes: 1000 });
  server.post("/api/run", runBody, ({ step }) => {
    effects.push(`run ${step}`);
    return { ran: step };
  });
  server.get("/api/secret", () => {
    effects.push("read");
    return { secret: "s3cret" };
  });
  server.get("/api/text", ({ query }) => textReply(`hello ${query.get("name")}`));
  server.get("/api/broken", () => {
    throw new Error("the password is 1234");
  });
  server.get("/api/missing", () => {
    throw new UiError(404, "there is no Pod web");
  });
  server.socket("/api/shell", (socket) => {
    effects.push("shell");
    socket.on("message", (data) => socket.send(`echo ${data}`));
  });
  session = await openSession(server);
});
afterAll(() => server.close());
beforeEach(() => {
  effects = [];
});

const run = (headers: Readonly<Record<string, string | undefined>>, body = '{"step":"1"}') =>
  ask(server, { method: "POST", path: "/api/run", headers: { ...session.mutation, ...headers }, body });

describe("the server's own page", () => {
  it("runs, reads, and opens a socket", async () => {
    expect(await run({})).toMatchObject({ status: 200, text: '{"ran":"1"}' });
    const read = await ask(server, { path: "/api/secret", headers: { cookie: session.cookie } });
    expect(read.text).toBe('{"secret":"s3cret"}');
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/api/shell`, {
      headers: { cookie: session.cookie, origin: server.origin },
    });
    await once(socket, "open");
    socket.send("hi");
    const [message] = await once(socket, "message");
    expect(String(message)).toBe("echo hi");
    socket.terminate();
    expect(effects).toEqual(["run 1", "read", "shell"]);
  });

  it("works under the name localhost, too", async () => {
    const host = server.origin.replace("http://127.0.0.1", "localhost");
    expect((await run({ host, origin: `http://${host}` })).status).toBe(200);
  });

  it("escapes its title, and has no inline script", async () => {
    const page = await ask(server, { path: "/", headers: { cookie: session.cookie } });
    expect(page.text).toContain("<title>Test &lt;page&gt;</title>");
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|javascript:/i);
  });
});

describe("the token", () => {
  it("has 256 bits, works once, and is in no later URL", async () => {
    const url = new URL(server.createUrl());
    expect(Buffer.from(url.searchParams.get("token") ?? "", "base64url")).toHaveLength(32);
    const first = await ask(server, { path: url.pathname + url.search });
    expect(first).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(String(first.headers["set-cookie"])).toMatch(
      /^operator-path-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await ask(server, { path: url.pathname + url.search });
    expect(second.status).toBe(401);
    expect(second.headers).not.toHaveProperty("set-cookie");
  });

  it("gives each browser a session of its own", async () => {
    const other = await openSession(server, server.createUrl());
    expect(other.cookie).not.toBe(session.cookie);
    expect((await run({ cookie: other.cookie })).status).toBe(200);
    expect((await run({})).status).toBe(200);
  });

  it("redirects a browser that has a session and comes back with its used token", async () => {
    const path = new URL(server.url).search;
    const again = await ask(server, { path: `/${path}`, headers: { cookie: session.cookie } });
    expect(again).toMatchObject({ status: 303, headers: { location: "/" } });
  });

  it("cannot be guessed, also not in the cookie", async () => {
    const [name] = session.cookie.split("=");
    const guesses = Array.from({ length: 200 }, (_, index) => String(index).padStart(43, "A"));
    for (const guess of guesses) {
      expect((await ask(server, { path: `/?token=${guess}` })).status).toBe(401);
      expect((await run({ cookie: `${name}=${guess}` })).status).toBe(401);
    }
    for (const cookie of [undefined, "", `${name}=`, `${name}`, `x${session.cookie}`, `${session.cookie}x`])
      expect((await run({ cookie })).status, cookie).toBe(401);
    expect(effects).toEqual([]);
  });
});

describe("without a session", () => {
  it.each(["/assets/main.js", "/api/secret", "/api/nothing", "/nothing"])("%s is refused", async (path) => {
    expect((await ask(server, { path })).status).toBe(401);
    expect(effects).toEqual([]);
  });

  it("the page says what to do, and contains no CSRF token", async () => {
    const page = await ask(server, { path: "/" });
    expect(page.status).toBe(401);
    expect(page.text).toContain("open the URL that the command printed");
    expect(page.text).not.toContain("csrf");
  });
});

describe("a page that rebinds its DNS name to 127.0.0.1", () => {
  const port = () => new URL(server.origin).port;
  it.each(["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:PORT"])(
    "is refused with Host %s, also for sockets",
    async (given) => {
      const host = given.replace("PORT", port());
      const origin = `http://${host}`;
      expect((await run({ host, origin })).status).toBe(421);
      const get = { path: "/api/secret", headers: { cookie: session.cookie, host } };
      expect((await ask(server, get)).status).toBe(421);
      expect(await openSocket(server, "/api/shell", { ...session.mutation, host, origin })).toBe(421);
      const token = new URL(server.createUrl()).search;
      expect((await ask(server, { path: `/${token}`, headers: { host } })).status).toBe(421);
      expect(effects).toEqual([]);
    },
  );

  it("is refused with two Host headers, none, or an absolute URL", async () => {
    const own = `Cookie: ${session.cookie}\r\nConnection: close\r\n\r\n`;
    const host = server.origin.slice(7);
    expect(await askRaw(server, `GET /api/secret HTTP/1.1\r\n${own}`)).toMatch(/400|421/);
    const twice = `GET /api/secret HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\n${own}`;
    expect(await askRaw(server, twice)).toMatch(/400|421/);
    const absolute = `GET http://evil.example/api/secret HTTP/1.1\r\nHost: ${host}\r\n${own}`;
    expect(await askRaw(server, absolute)).toContain("404");
    expect(effects).toEqual([]);
  });
});

describe("another site's page, even with the cookie", () => {
  const evil = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };

  it("cannot send a form", async () => {
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
      for (const origin of ["http://evil.example", "null"])
        expect((await run({ ...evil, origin, "content-type": type })).status).toBe(403);
    // Not even if a browser sent no Origin.
    const form = { origin: undefined, "sec-fetch-site": undefined, "content-type": "text/plain" };
    expect((await run(form)).status).toBe(403);
    expect(effects).toEqual([]);
  });

  it.each([
    ["another origin", { origin: "http://evil.example" }],
    ["another port of this host", { origin: "http://127.0.0.1:1" }],
    ["https", { origin: "https://127.0.0.1" }],
    ["the other name of this host", { origin: "http://localhost" }],
    ["null", { origin: "null" }],
    ["no Origin", { origin: undefined }],
    ["no CSRF token", { "x-csrf-token": undefined }],
    ["another CSRF token", { "x-csrf-token": "A".repeat(43) }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ])("cannot mutate with %s", async (_name, headers) => {
    expect((await run(headers)).status).toBe(403);
    expect(effects).toEqual([]);
  });

  it("cannot mutate without JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json-evil",
      undefined,
    ])
      expect((await run({ "content-type": type })).status).toBe(415);
    expect((await run({}, "{")).status).toBe(400);
    expect(await run({}, '{"step":1}')).toMatchObject({ status: 400, text: expect.stringContaining("step") });
    expect(effects).toEqual([]);
  });

  it("cannot read data or load scripts", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = { cookie: session.cookie, "sec-fetch-site": site };
      for (const path of ["/api/secret", "/assets/main.js"])
        expect((await ask(server, { path, headers })).status).toBe(403);
    }
    expect(effects).toEqual([]);
  });

  it("receives no permission from CORS", async () => {
    const headers = { ...session.mutation, ...evil, "access-control-request-method": "POST" };
    const preflight = await ask(server, { method: "OPTIONS", path: "/api/run", headers });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    const answers = [preflight, await ask(server, { path: "/", headers: { cookie: session.cookie } })];
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each([
    ["of another site", "http://evil.example"],
    ["of another port", "http://127.0.0.1:1"],
    ["null", "null"],
    ["missing", undefined],
  ])("cannot open a socket with an Origin that is %s", async (_name, origin) => {
    expect(await openSocket(server, "/api/shell", { cookie: session.cookie, origin })).toBe(403);
    expect(effects).toEqual([]);
  });

  it("cannot open a socket without the cookie, or one that does not exist", async () => {
    expect(await openSocket(server, "/api/shell", { origin: server.origin })).toBe(401);
    const own = { cookie: session.cookie, origin: server.origin };
    expect(await openSocket(server, "/api/secret", own)).toBe(404);
    expect(effects).toEqual([]);
  });

  it("cannot frame a page, and pages run no inline script", async () => {
    const page = await ask(server, { path: "/", headers: { cookie: session.cookie } });
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).not.toContain("unsafe");
    expect(page.headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
  });
});

describe("paths", () => {
  const file = "/assets/main.js";

  it("serves the files of the bundle", async () => {
    const answer = await ask(server, { path: file, headers: { cookie: session.cookie } });
    expect(answer).toMatchObject({ status: 200, text: "// main" });
    expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff" });
  });

  it.each([
    ...["/assets/../package.json", "/assets/%2e%2e/package.json", "/assets/..%2fpackage.json", "/assets/"],
    ...[
      "/assets/..\\package.json",
      "/assets/%252e%252e/package.json",
      "/assets/main.js%00.txt",
      "//etc/passwd",
    ],
    ...["/assets/main.js::$DATA", "/assets/./main.js", "/assets/main.js/", "/@fs/etc/passwd", "/etc/passwd"],
    ...["/package.json?raw??", "/assets/main.js.map", "/ASSETS/main.js", "/assets/main%2ejs", "/.env"],
    ...["/__proto__", "/constructor", "file:///etc/passwd"],
  ])("refuses %s", async (path) => {
    const answer = await ask(server, { path, headers: { cookie: session.cookie } });
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('{"message":"there is no such page"}');
  });

  it("refuses a NUL and other broken request lines", async () => {
    const rest = `HTTP/1.1\r\nHost: ${server.origin.slice(7)}\r\nCookie: ${session.cookie}\r\nConnection: close\r\n\r\n`;
    for (const path of ["/assets/main.js\0", "/assets/ma in.js", "*"])
      expect(await askRaw(server, `GET ${path} ${rest}`)).toMatch(/40[04]/);
  });

  it("names the allowed method", async () => {
    const get = await ask(server, { path: "/api/run", headers: { cookie: session.cookie } });
    expect(get).toMatchObject({ status: 405, headers: { allow: "POST" } });
    const post = await ask(server, {
      ...{ method: "POST", path: "/api/secret", headers: session.mutation, body: "{}" },
    });
    expect(post).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    const put = await ask(server, { method: "PUT", path: "/api/run", headers: session.mutation, body: "{}" });
    expect(put.status).toBe(405);
    expect(effects).toEqual([]);
  });
});

describe("limits", () => {
  it("refuses a long body, with and without a length", async () => {
    const long = JSON.stringify({ step: "x".repeat(1000) });
    expect((await run({ "content-length": String(long.length) }, long)).status).toBe(413);
    const chunked = run({ "transfer-encoding": "chunked" }, long).then(
      ({ status }) => status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(await chunked);
    expect(effects).toEqual([]);
  });

  it("closes a socket that receives a long message", async () => {
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/api/shell`, {
      headers: { cookie: session.cookie, origin: server.origin },
    });
    await once(socket, "open");
    socket.send("x".repeat(1001));
    const [code] = await once(socket, "close");
    expect(code).toBe(1009);
  });
});

describe("replies", () => {
  const get = (path: string) => ask(server, { path, headers: { cookie: session.cookie } });

  it("are text, JSON or a stream", async () => {
    expect(await get("/api/text?name=a%20b")).toMatchObject({
      text: "hello a b",
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    await using streaming = await startServer();
    let closed = false;
    streaming.get("/api/stream", ({ signal }) =>
      streamReply(
        (async function* () {
          yield Buffer.from("one\n");
          await once(signal, "abort");
          closed = true;
        })(),
      ),
    );
    const { cookie } = await openSession(streaming);
    const abort = new AbortController();
    const response = await fetch(`${streaming.origin}/api/stream`, {
      headers: { cookie },
      signal: abort.signal,
    });
    const chunk = await response.body?.getReader().read();
    expect(String(Buffer.from(chunk?.value ?? []))).toBe("one\n");
    abort.abort();
    await expect.poll(() => closed).toBe(true);
  });

  it("show a handler's UiError, and the message of no other error", async () => {
    expect(await get("/api/missing")).toMatchObject({
      status: 404,
      text: '{"message":"there is no Pod web"}',
    });
    const broken = await get("/api/broken");
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain("1234");
  });
});

it("listens on 127.0.0.1 only, and frees its port", async () => {
  const own = await startServer();
  expect(own.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(own.origin);
  await expect(startServer({ port: Number(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await own.close();
  await own.close();
  await using again = await startServer({ port: Number(port) });
  expect(again.origin).toBe(own.origin);
});

it("rejects a second handler of one path", async () => {
  await using own = await startServer();
  own.get("/api/a", () => 1);
  own.post("/api/a", z.unknown(), () => 1);
  expect(() => own.get("/api/a", () => 2)).toThrow("get /api/a already exists");
  expect(() => own.get("/assets/main.js", () => 2)).toThrow("already exists");
});
