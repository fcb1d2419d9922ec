import { expect, test } from "vitest";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { type Answer, configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";
import { startWebhookScene } from "../../testing/webhook-scene.ts";
import type { ReviewRequest } from "../../testing/webhook-server.ts";

// While a validating webhook handles one request, the server handles others. The first request must take all
// of their changes into account.

const scene = await startWebhookScene();
const namespace = "/api/v1/namespaces/default";
const configMaps = `${namespace}/configmaps`;
const services = `${namespace}/services`;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/namespaces/default/things";
const mergePatch = { "content-type": "application/merge-patch+json" };

const patch = (server: TestServer, path: string, body: JsonObject) =>
  server.request("PATCH", path, { body, headers: mergePatch });

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

const definition: JsonObject = {
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const thing = (name: string, finalizers: string[] = []): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name, finalizers },
});

/** Creates a quota on Services and ConfigMaps, of which nothing is used. */
async function limit(server: TestServer): Promise<void> {
  const hard = { "services.nodeports": "5", configmaps: "5" };
  const quota = await server.create(`${namespace}/resourcequotas`, {
    metadata: { name: "q" },
    spec: { hard },
  });
  const used = { "services.nodeports": "0", configmaps: "0" };
  await server.request("PUT", `${namespace}/resourcequotas/q/status`, {
    body: { ...quota, status: { hard, used } },
  });
}

async function used(server: TestServer): Promise<unknown> {
  const quota = (await server.request("GET", `${namespace}/resourcequotas/q`)).json();
  return (quota.status as JsonObject).used;
}

interface Row {
  when: string;
  before?(server: TestServer): Promise<unknown>;
  request(server: TestServer): Promise<Answer>;
  /** Runs only during the first call of the webhook. */
  meanwhile(server: TestServer, asked: ReviewRequest): Promise<unknown>;
  code: number;
  message?: string;
  after?(server: TestServer, answer: Answer): Promise<void>;
}

const refused = 'admission webhook "a.example.com" denied the request: locked';
const remains = (path: string) => async (server: TestServer) => {
  expect((await server.request("GET", path)).status).toBe(200);
};

const deletions: Row[] = [
  {
    when: "a deletion meets an object that is locked meanwhile",
    before: (server) => server.create(configMaps, configMap("a")),
    request: (server) => server.request("DELETE", `${configMaps}/a`),
    meanwhile: (server) => patch(server, `${configMaps}/a`, { metadata: { labels: { locked: "yes" } } }),
    code: 400,
    message: refused,
    after: remains(`${configMaps}/a`),
  },
  {
    when: "a deletion meets a new object with the same name",
    before: (server) => server.create(configMaps, configMap("a")),
    request: (server) => server.request("DELETE", `${configMaps}/a`),
    async meanwhile(server) {
      await server.request("DELETE", `${configMaps}/a`);
      await server.create(configMaps, configMap("a", {}, { locked: "yes" }));
    },
    code: 400,
    message: refused,
    after: remains(`${configMaps}/a`),
  },
  {
    when: "another request deletes the object first",
    before: (server) => server.create(configMaps, configMap("a")),
    request: (server) => server.request("DELETE", `${configMaps}/a`),
    meanwhile: (server) => server.request("DELETE", `${configMaps}/a`),
    code: 404,
    message: 'configmaps "a" not found',
  },
  {
    when: "another request deletes one object of a deleted collection",
    async before(server) {
      for (const name of ["a", "b"]) await server.create(configMaps, configMap(name));
    },
    request: (server) => server.request("DELETE", configMaps),
    meanwhile: (server) => server.request("DELETE", `${configMaps}/a`),
    code: 200,
    async after(server) {
      expect((await server.request("GET", `${configMaps}/b`)).status).toBe(404);
    },
  },
];

const clusterIP = "10.96.7.7";
const taken = (name: string, path: string, what: string) =>
  `Service "${name}" is invalid: ${path}: Invalid value: ${what} is already allocated`;
const addressTaken = taken(
  "a",
  "spec.clusterIPs",
  `["${clusterIP}"]: failed to allocate IP ${clusterIP}: provided IP`,
);
const portTaken = taken("a", "spec.ports[0].nodePort", "30123: provided port");
const onPort = { type: "NodePort", ports: [{ port: 80, nodePort: 30_123 }] };

const allocations: Row[] = [
  {
    when: "another Service gets the requested address",
    request: (server) => server.request("POST", services, { body: service("a", { clusterIP }) }),
    meanwhile: (server) => server.create(services, service("b", { clusterIP })),
    code: 422,
    message: addressTaken,
  },
  {
    when: "another Service gets the requested node port",
    request: (server) => server.request("POST", services, { body: service("a", onPort) }),
    meanwhile: (server) => server.create(services, service("b", onPort)),
    code: 422,
    message: portTaken,
  },
  {
    when: "another Service gets the node port that an update requests",
    before: (server) => server.create(services, service("a")),
    request: (server) => patch(server, `${services}/a`, { spec: onPort }),
    meanwhile: (server) => server.create(services, service("b", onPort)),
    code: 422,
    message: portTaken,
  },
  {
    when: "another Service gets the allocated address: the first one gets a new address",
    request: (server) => server.request("POST", services, { body: service("a") }),
    meanwhile(server, { object }) {
      const { clusterIP } = (object as ApiObject).spec as { clusterIP: string };
      return server.create(services, service("b", { clusterIP }));
    },
    code: 201,
    async after(server, answer) {
      const other = (await server.request("GET", `${services}/b`)).json().spec as JsonObject;
      const { clusterIP } = answer.json().spec as JsonObject;
      expect(clusterIP).toMatch(/^10\.96\./);
      expect(clusterIP).not.toBe(other.clusterIP);
    },
  },
];

const deletedDefinitions: Row[] = [
  {
    when: "the definition of a new object is deleted",
    before: (server) => server.create(definitions, definition),
    request: (server) => server.request("POST", things, { body: thing("a") }),
    meanwhile: (server) => server.request("DELETE", `${definitions}/things.example.com`),
    code: 404,
    message: "the server could not find the requested resource",
    async after(server) {
      await server.create(definitions, definition);
      expect((await server.request("GET", things)).json().items).toEqual([]);
    },
  },
  {
    when: "the definition of a new object begins to terminate",
    async before(server) {
      await server.create(definitions, definition);
      await server.create(things, thing("held", ["example.com/held"]));
    },
    request: (server) => server.request("POST", things, { body: thing("a") }),
    meanwhile: (server) => server.request("DELETE", `${definitions}/things.example.com`),
    code: 403,
    message:
      'things.example.com "a" is forbidden: create not allowed while custom resource definition is terminating',
  },
];

const quotas: Row[] = [
  {
    when: "another request writes: a repeated update counts once",
    async before(server) {
      await server.create(services, service("a"));
      await limit(server);
    },
    request: (server) => patch(server, `${services}/a`, { spec: { type: "NodePort" } }),
    meanwhile: (server) => patch(server, `${services}/a`, { metadata: { labels: { a: "b" } } }),
    code: 200,
    async after(server) {
      expect(await used(server)).toMatchObject({ "services.nodeports": "1" });
    },
  },
  {
    when: "another request takes the name: only the first one counts",
    before: limit,
    request: (server) => server.request("POST", configMaps, { body: configMap("a") }),
    meanwhile: (server) => server.create(configMaps, configMap("a")),
    code: 409,
    message: 'configmaps "a" already exists',
    async after(server) {
      expect(await used(server)).toMatchObject({ configmaps: "1" });
    },
  },
];

test.each([...deletions, ...allocations, ...deletedDefinitions, ...quotas])(
  "$when",
  async ({ before, request, meanwhile, code, message, after }) => {
    const server = await startTestServer();
    await before?.(server);
    const path = await scene.register(server, "Validating", {
      rules: [
        {
          apiGroups: ["", "example.com"],
          apiVersions: ["v1"],
          operations: ["*"],
          resources: ["configmaps", "services", "things"],
        },
      ],
    });
    let first = true;
    scene.hooks.on(path, async (asked) => {
      const isFirst = first;
      first = false;
      if (isFirst) await meanwhile(server, asked);
      const { labels } = ((asked.oldObject ?? {}) as Partial<ApiObject>).metadata ?? {};
      const locked = asked.operation === "DELETE" && labels?.locked === "yes";
      return { allowed: !locked, status: { message: "locked" } };
    });
    const answer = await request(server);
    expect(answer.status, answer.text).toBe(code);
    if (message !== undefined) expect(answer.json().message).toBe(message);
    expect(first).toBe(false);
    await after?.(server, answer);
    expect(server.log).toEqual([]);
  },
);
