// A Pod can be a process of the host, so access to the API means running code. These tests attack the API:
// nothing runs, nothing is written and nothing is revealed.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:tls";
import { createFakeClock } from "@operator-path/client/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";
import type { NodeConnection } from "../streaming/node-connection.ts";

const secret = "a text that must never leave the server";
const pods = "/api/v1/namespaces/default/pods";
const configMaps = "/api/v1/namespaces/default/configmaps";
const clock = createFakeClock();

/** Calls that the node received. */
const ran: string[] = [];
const note = (what: string): never => {
  ran.push(what);
  throw new Error(secret);
};
const node: NodeConnection = {
  // biome-ignore lint/correctness/useYield: it is never to get so far
  async *logs() {
    note("logs");
  },
  exec: async () => note("exec"),
  attach: async () => note("attach"),
  portForward: async () => note("portForward"),
  api: async () => note("api"),
};

let server: TestServer;
let tokens: { expired: string; gone: string; powerless: string; foreign: string };

beforeEach(async () => {
  server = await startTestServer({ clock, connectNode: () => node });
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  for (const name of ["default", "gone"]) await server.create(accounts, { metadata: { name } });
  await server.create(configMaps, configMap("known", { secret }));
  await server.create(pods, {
    metadata: { name: "p" },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "x", env: [{ name: "A", value: secret }] }] },
  });
  const issue = async (account: string, spec = {}) => {
    const { json } = await server.request("POST", `${accounts}/${account}/token`, { body: { spec } });
    return json<{ status: { token: string } }>().status.token;
  };
  const expired = await issue("default", { expirationSeconds: 600 });
  const gone = await issue("gone");
  await clock.advance(661_000);
  await server.request("DELETE", `${accounts}/gone`);
  const foreign = await issue("default", { audiences: ["https://elsewhere"] });
  tokens = { expired, gone, powerless: await issue("default"), foreign };
  ran.length = 0;
});

afterEach(async () => {
  expect(ran).toEqual([]);
  const { items } = (await server.request("GET", configMaps)).json<{
    items: { metadata: { name: string } }[];
  }>();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["known"]);
});

/** Requests that would reveal, change or run something. */
const attacks: [string, string, unknown?][] = [
  ["GET", `${configMaps}/known`],
  ["GET", `${pods}?watch=1`],
  ["GET", `${pods}/p/log`],
  ["GET", "/openapi/v3"],
  ["POST", configMaps, configMap("new")],
  ["PATCH", `${configMaps}/known`, { data: { a: "b" } }],
  ["DELETE", configMaps],
  ["POST", `${pods}/p/exec?command=sh&stdout=1`],
  ["POST", "/api/v1/namespaces/default/serviceaccounts/default/token", {}],
  ["GET", `${pods}/p/proxy/`],
];

interface Said {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  upgraded: boolean;
}

/** Sends exactly these headers. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  body?: unknown,
): Promise<Said> {
  const outgoing = httpsRequest(`${server.url}${path}`, {
    method,
    headers,
    ca: server.caCertificate,
    servername: "localhost",
    agent: false,
  });
  const answered = new Promise<Said>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("upgrade", (message, socket) => {
      socket.destroy();
      resolve({ status: message.statusCode ?? 0, headers: message.headers, text: "", upgraded: true });
    });
    outgoing.on("response", async (message) => {
      let text = "";
      for await (const chunk of message) text += chunk;
      resolve({ status: message.statusCode ?? 0, headers: message.headers, text, upgraded: false });
    });
  });
  outgoing.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  return answered;
}

function expectRefused({ status, headers, text, upgraded }: Said, statuses: number[]): void {
  expect(statuses).toContain(status);
  expect(upgraded).toBe(false);
  expect(text).not.toContain(secret);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
}

const json = { "content-type": "application/json" };

describe.each(attacks)("%s %s", (method, path, body) => {
  test("is refused without a token, and with an invalid one", async () => {
    const authorizations = [
      undefined,
      "Bearer",
      "Bearer ",
      "Bearer wrong",
      `Bearer ${server.token}x`,
      `Bearer ${server.token.slice(0, -1)}`,
      `Basic ${Buffer.from(`kubernetes-admin:${server.token}`).toString("base64")}`,
      server.token,
      `Bearer ${tokens.expired}`,
      `Bearer ${tokens.gone}`,
      `Bearer ${tokens.foreign}`,
    ];
    for (const authorization of authorizations) {
      const headers = authorization === undefined ? json : { ...json, authorization };
      expectRefused(await send(method, path, headers, body), [401]);
    }
    const inPath = `${path}${path.includes("?") ? "&" : "?"}access_token=${server.token}&token=${server.token}`;
    expectRefused(await send(method, inPath, { ...json, cookie: `token=${server.token}` }, body), [401]);
  });

  test("is refused to a user without permissions", async () => {
    const authorization = `Bearer ${tokens.powerless}`;
    const allowedToAll = path === "/openapi/v3";
    if (!allowedToAll) expectRefused(await send(method, path, { ...json, authorization }, body), [403]);
    const asAdministrator = { "impersonate-user": "admin", "impersonate-group": "system:masters" };
    expectRefused(await send(method, path, { ...json, authorization, ...asAdministrator }, body), [403]);
    const group = { "impersonate-group": "system:masters" };
    expectRefused(await send(method, path, { ...json, authorization, ...group }, body), [400]);
  });

  test("is refused to a web page whose name resolves to this machine", async () => {
    const port = String(server.port);
    for (const host of [
      `evil.example:${port}`,
      "evil.example",
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "[::]",
      "x@127.0.0.1",
      "127.1",
    ]) {
      const authorization = `Bearer ${server.token}`;
      expectRefused(await send(method, path, { ...json, authorization, host }, body), [400, 403]);
    }
  });

  test("is refused to a web page of another origin", async () => {
    const origin = "https://evil.example";
    // A page has no token. Without a preflight request it can only send forms.
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expectRefused(await send(method, path, { origin, "content-type": type }, body), [401]);
    }
    const preflight = {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization",
    };
    expectRefused(await send("OPTIONS", path, preflight), [401]);
    const authorization = `Bearer ${server.token}`;
    expectRefused(await send("OPTIONS", path, { ...preflight, authorization }), [403, 404, 405]);
  });
});

describe.each(["exec?command=sh&stdout=1", "attach?stdout=1", "portforward?ports=80"])(
  "%s",
  (subresource) => {
    const path = `${pods}/p/${subresource}`;
    const webSocket = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-protocol": "v5.channel.k8s.io",
    };
    const spdy = {
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": "v4.channel.k8s.io",
    };

    test.each([
      ["WebSocket", "GET", webSocket],
      ["SPDY", "POST", spdy],
    ])("over %s: no upgrade without the permission", async (_protocol, method, upgrade) => {
      const upgradeWith = (headers: Record<string, string>) => send(method, path, { ...upgrade, ...headers });
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
      const encoded = Buffer.from(server.token).toString("base64url");
      expectRefused(await upgradeWith({}), [401]);
      expectRefused(await upgradeWith({ origin: "https://evil.example" }), [401]);
      expectRefused(await upgradeWith(bearer("wrong")), [401]);
      expectRefused(await upgradeWith(bearer(tokens.expired)), [401]);
      expectRefused(await upgradeWith(bearer(tokens.powerless)), [403]);
      expectRefused(await upgradeWith({ ...bearer(server.token), host: "evil.example" }), [403]);
      expectRefused(await upgradeWith({ ...bearer(server.token), "impersonate-user": "jane" }), [403]);
      // A web page cannot set headers on a WebSocket, so it would send the token as a subprotocol.
      const protocols = `v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.${encoded}`;
      const origin = "https://evil.example";
      expectRefused(await upgradeWith({ origin, "sec-websocket-protocol": protocols }), [401]);
    });

    test("refuses a user who may only read Pods", async () => {
      const group = "rbac.authorization.k8s.io";
      const base = `/apis/${group}/v1/namespaces/default`;
      const resources = ["pods", "pods/exec", "pods/attach", "pods/portforward"];
      await server.create(`${base}/roles`, {
        metadata: { name: "r" },
        rules: [{ apiGroups: [""], resources, verbs: ["get", "list", "watch"] }],
      });
      await server.create(`${base}/rolebindings`, {
        metadata: { name: "b" },
        roleRef: { apiGroup: group, kind: "Role", name: "r" },
        subjects: [{ kind: "ServiceAccount", name: "default" }],
      });
      const authorization = `Bearer ${tokens.powerless}`;
      expect((await send("GET", pods, { authorization })).status).toBe(200);
      expectRefused(await send("GET", path, { ...webSocket, authorization }), [403]);
    });
  },
);

describe("malformed requests", () => {
  /** Sends these bytes unchanged. */
  async function raw(text: string): Promise<string> {
    const socket = connect({
      port: server.port,
      host: "127.0.0.1",
      ca: server.caCertificate,
      servername: "localhost",
    });
    await once(socket, "secureConnect");
    socket.end(text.replaceAll("\n", "\r\n"));
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    return answer;
  }
  const authorization = () => `authorization: Bearer ${server.token}`;

  test.each([
    ["no Host", () => `GET ${configMaps}/known HTTP/1.1\n${authorization()}\nconnection: close\n\n`],
    ["no Host, HTTP/1.0", () => `GET ${configMaps}/known HTTP/1.0\n${authorization()}\n\n`],
    [
      "an empty Host",
      () => `GET ${configMaps}/known HTTP/1.1\nhost:\n${authorization()}\nconnection: close\n\n`,
    ],
    [
      "two Hosts",
      () =>
        `GET ${configMaps}/known HTTP/1.1\nhost: evil.example\nhost: localhost\n${authorization()}\nconnection: close\n\n`,
    ],
    [
      "another name in the request line",
      () =>
        `GET https://evil.example${configMaps}/known HTTP/1.1\nhost: evil.example\n${authorization()}\nconnection: close\n\n`,
    ],
    ["CONNECT", () => `CONNECT localhost:1 HTTP/1.1\nhost: localhost\n${authorization()}\n\n`],
    [
      "a second request in the body of the first",
      () =>
        `POST ${configMaps} HTTP/1.1\nhost: localhost\ncontent-length: 4\ntransfer-encoding: chunked\n\n0\n\nGET ${configMaps}/known HTTP/1.1\nhost: localhost\n${authorization()}\n\n`,
    ],
  ])("%s", async (_what, text) => {
    const answer = await raw(text());
    expect(answer).not.toContain(secret);
    expect(answer).not.toMatch(/^HTTP\/1\.[01] 2/m);
  });

  test("refuses a path that imitates an open one", async () => {
    for (const path of [
      "//api/v1/configmaps",
      "/healthz/../api/v1/configmaps",
      "/version/%2e%2e/api/v1/configmaps",
      "/healthz%2f..%2fapi%2fv1%2fconfigmaps",
      "/%68ealthz/../api",
      "/livez;/api/v1/configmaps",
    ]) {
      const answer = await raw(`GET ${path} HTTP/1.1\nhost: localhost\nconnection: close\n\n`);
      expect(answer).not.toContain(secret);
      expect(answer).not.toContain("ConfigMapList");
    }
  });
});
