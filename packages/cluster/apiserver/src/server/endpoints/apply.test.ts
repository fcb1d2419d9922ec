import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const server = await startTestServer({}, { shared: true });
const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

interface Entry {
  manager: string;
  operation: string;
  subresource?: string;
  time?: string;
  fieldsV1: JsonValue;
}

function apply(path: string, manager: string, body: JsonObject, query = "", on: TestServer = server) {
  return on.request("PATCH", `${path}?fieldManager=${manager}${query}`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/apply-patch+yaml" },
  });
}

const configMap = (name: string, data: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

async function managersOf(path: string): Promise<Entry[]> {
  const { metadata } = (await server.request("GET", path)).json();
  return (metadata.managedFields ?? []) as unknown as Entry[];
}

describe("server-side apply", () => {
  test("creates an object, shares ownership, and gives it up", async () => {
    const path = `${configMaps}/shared`;
    expect((await apply(path, "one", configMap("shared", { x: "1", y: "1" }))).status).toBe(201);
    expect((await apply(path, "two", configMap("shared", { x: "1" }))).status).toBe(200);
    // Another manager also owns x, but not y.
    const { data: _data, ...nothing } = configMap("shared", {});
    const left = await apply(path, "one", nothing);
    expect(left.json()).toMatchObject({ data: { x: "1" } });
    expect((await managersOf(path)).map(({ manager }) => manager)).toEqual(["two"]);
  });

  test("names the owners in a conflict, and takes over with force", async () => {
    const path = `${configMaps}/conflict`;
    await apply(path, "one", configMap("conflict", { x: "1" }));
    await server.request("PATCH", `${path}?fieldManager=editor`, {
      body: { data: { y: "2" } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    const refused = await apply(path, "two", configMap("conflict", { x: "9", y: "9" }));
    expect(refused.json()).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Apply failed with 2 conflicts: conflicts with "editor" using v1:\n- .data.y\nconflicts with "one":\n- .data.x',
      details: {
        causes: [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "editor" using v1',
            field: ".data.y",
          },
          { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.x" },
        ],
      },
    });
    const forced = await apply(path, "two", configMap("conflict", { x: "9", y: "9" }), "&force=true");
    expect(forced.json()).toMatchObject({ data: { x: "9", y: "9" } });
    expect((await managersOf(path)).map(({ manager }) => manager)).toEqual(["two"]);
  });

  test("lets one of two concurrent applies create the object, and the other one update it", async () => {
    const path = `${configMaps}/race`;
    const answers = await Promise.all([
      apply(path, "one", configMap("race", { x: "1" })),
      apply(path, "two", configMap("race", { y: "2" })),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect((await server.request("GET", path)).json()).toMatchObject({ data: { x: "1", y: "2" } });
  });

  test("writes no new version without a change", async () => {
    const path = `${configMaps}/same`;
    const first = (await apply(path, "one", configMap("same", { x: "1" }))).json();
    const second = (await apply(path, "one", configMap("same", { x: "1" }))).json();
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test("does not write in a dry run", async () => {
    const path = `${configMaps}/dry`;
    const answer = await apply(path, "one", configMap("dry", { x: "1" }), "&dryRun=All");
    expect(answer.status).toBe(201);
    expect((await server.request("GET", path)).status).toBe(404);
  });

  test("requires a field manager", async () => {
    const answer = await apply(`${configMaps}/unmanaged`, "", configMap("unmanaged", {}));
    expect(answer.json()).toMatchObject({
      code: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
  });

  test.each<[string, JsonObject | string, string]>([
    [
      "a field that is not there",
      { ...configMap("bad", {}), spec: {} },
      "failed to create typed patch object (/bad; /v1, Kind=ConfigMap): .spec: field not declared in schema",
    ],
    ["another kind", { apiVersion: "v1", kind: "Secret" }, "invalid object type: /v1, Kind=Secret"],
    [
      "managedFields",
      { ...configMap("bad", {}), metadata: { name: "bad", managedFields: [] } },
      "metadata.managedFields must be nil",
    ],
  ])("refuses %s", async (_name, body, message) => {
    const answer = await apply(`${configMaps}/bad`, "one", body as JsonObject);
    expect(answer.json()).toMatchObject({ code: 400, message });
  });
});

const deployment = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    },
    ...spec,
  },
});

describe("subresources", () => {
  test("gives the replicas to the manager that scales", async () => {
    const path = `${deployments}/scaled`;
    await apply(path, "one", deployment("scaled", { replicas: 1 }));
    await server.request("PATCH", `${path}/scale?fieldManager=scaler`, {
      body: { spec: { replicas: 3 } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    const scaler = (await managersOf(path)).find(({ manager }) => manager === "scaler");
    expect(scaler).toMatchObject({
      operation: "Update",
      subresource: "scale",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    });
    const refused = await apply(path, "one", deployment("scaled", { replicas: 1 }));
    expect(refused.json().message).toBe(
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
    );
    expect((await apply(path, "one", deployment("scaled", {}))).json()).toMatchObject({
      spec: { replicas: 3 },
    });
  });

  test("have their own managers for the status, which own nothing else", async () => {
    const path = `${deployments}/status`;
    await apply(path, "one", { ...deployment("status", {}), status: { replicas: 9 } });
    const status = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "status" } };
    await apply(`${path}/status`, "controller", {
      ...status,
      spec: { paused: true },
      status: { replicas: 2 },
    });
    expect((await server.request("GET", path)).json()).toMatchObject({ status: { replicas: 2 } });
    expect((await managersOf(path)).find(({ manager }) => manager === "controller")).toMatchObject({
      subresource: "status",
      fieldsV1: { "f:status": { "f:replicas": {} } },
    });
  });
});

describe("managedFields", () => {
  test("are set by every write, by default with the user agent's name", async () => {
    const headers = { "user-agent": "kubelet/v1.36 (linux)" };
    await server.request("POST", configMaps, { body: configMap("agent", { x: "1" }), headers });
    expect(await managersOf(`${configMaps}/agent`)).toEqual([
      {
        manager: "kubelet",
        operation: "Update",
        apiVersion: "v1",
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:x": {} } },
      },
    ]);
  });

  test("merge more than ten updates into ancient-changes", async () => {
    await server.create(configMaps, configMap("many", { x: "1" }));
    for (let index = 0; index < 12; index++) {
      await server.request("PATCH", `${configMaps}/many?fieldManager=m${index}`, {
        body: { data: { [`k${index}`]: "1" } },
        headers: { "content-type": "application/merge-patch+json" },
      });
    }
    const managers = await managersOf(`${configMaps}/many`);
    expect(managers).toHaveLength(10);
    expect(managers.map(({ manager }) => manager)).toContain("ancient-changes");
  });

  test("are reset by an empty list, and kept without a list", async () => {
    const path = `${configMaps}/reset`;
    const merge = (body: JsonObject) =>
      server.request("PATCH", path, {
        body,
        headers: { "content-type": "application/merge-patch+json" },
      });
    const created = await server.create(configMaps, configMap("reset", { x: "1" }));
    const { managedFields: _none, ...metadata } = created.metadata;
    await server.request("PUT", path, { body: { ...created, metadata } });
    expect(await managersOf(path)).toHaveLength(1);
    await merge({ metadata: { managedFields: [] } });
    expect(await managersOf(path)).toEqual([]);
    // No manager is known: the existing fields belong to "before-first-apply".
    const refused = await apply(path, "one", configMap("reset", { x: "2" }));
    expect(refused.json().message).toContain('conflict with "before-first-apply" using v1: .data.x');
  });
});
