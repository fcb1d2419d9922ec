import { beforeEach, describe, expect, test } from "vitest";
import type { ApiObject, JsonObject } from "../lib/json/json.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const shirts = "/apis/example.com/v1/namespaces/default/shirts";
const mergePatch = { "content-type": "application/merge-patch+json" };
let server: TestServer;

const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: { type: "object", properties: { color: { type: "string" }, replicas: { type: "integer" } } },
      status: {
        type: "object",
        properties: { replicas: { type: "integer" }, selector: { type: "string" } },
      },
    },
  },
};
const scale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};

function definition(versions: JsonObject[]): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "shirts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: {
        plural: "shirts",
        singular: "shirt",
        kind: "Shirt",
        listKind: "ShirtList",
        shortNames: ["sh"],
      },
      versions,
    },
  };
}

const v1 = { name: "v1", served: true, storage: true, schema, subresources: { status: {}, scale } };
const shirt = (name: string, extra: JsonObject = {}): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Shirt",
  metadata: { name },
  spec: { color: "red" },
  ...extra,
});

const patch = (path: string, body: JsonObject) =>
  server.request("PATCH", path, { body, headers: mergePatch });

beforeEach(async () => {
  server = await startTestServer();
});

describe("a definition", () => {
  test("is established when it is created, and its status says so", async () => {
    const created = await server.create(definitions, definition([v1]));
    expect(created.metadata.generation).toBe(1);
    const now = (await server.request("GET", `${definitions}/shirts.example.com`)).json();
    expect(now).toMatchObject({
      metadata: { generation: 1 },
      status: {
        storedVersions: ["v1"],
        acceptedNames: { plural: "shirts", kind: "Shirt" },
        conditions: [
          { type: "NamesAccepted", status: "True", reason: "NoConflicts" },
          { type: "Established", status: "True", reason: "InitialNamesAccepted" },
        ],
      },
    });
    expect((await server.request("GET", shirts)).status).toBe(200);
    expect((await server.request("GET", "/apis/example.com/v1")).text).toContain('"shortNames":["sh"]');
  });

  test("serves nothing before it exists", async () => {
    const answer = await server.request("GET", shirts);
    expect(answer.status).toBe(404);
  });

  test("deletes its objects first, and waits for their finalizers", async () => {
    await server.create(definitions, definition([v1]));
    await server.create(shirts, shirt("a"));
    await server.create(shirts, shirt("held", { metadata: { name: "held", finalizers: ["x.io/y"] } }));
    const deleted = (await server.request("DELETE", `${definitions}/shirts.example.com`)).json();
    expect(deleted.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ["customresourcecleanup.apiextensions.k8s.io"],
    });
    expect(JSON.stringify(deleted.status)).toContain("InstanceDeletionPending");
    expect((await server.request("GET", `${shirts}/a`)).status).toBe(404);
    const waiting = (await server.request("GET", `${definitions}/shirts.example.com`)).json();
    expect(JSON.stringify(waiting.status)).toContain("InstanceDeletionInProgress");
    await patch(`${shirts}/held`, { metadata: { finalizers: null } });
    expect((await server.request("GET", `${definitions}/shirts.example.com`)).status).toBe(404);
    expect((await server.request("GET", "/apis/example.com/v1")).status).toBe(404);
    // The name is free again, and none of the old objects returns.
    await server.create(definitions, definition([v1]));
    expect((await server.request("GET", shirts)).json<{ items: unknown[] }>().items).toEqual([]);
  });

  test("serves the same objects in both of its versions", async () => {
    await server.create(definitions, definition([v1]));
    await server.create(shirts, shirt("a"));
    await patch(`${definitions}/shirts.example.com`, {
      spec: { versions: [v1, { ...v1, name: "v2", storage: false }] },
    });
    const newer = (await server.request("GET", `${shirts.replace("/v1/", "/v2/")}/a`)).json();
    expect(newer).toMatchObject({ apiVersion: "example.com/v2", kind: "Shirt", spec: { color: "red" } });
    const watch = await server.watch(`${shirts.replace("/v1/", "/v2/")}?watch=1`);
    expect((await watch.next())?.object.apiVersion).toBe("example.com/v2");
    await patch(`${shirts.replace("/v1/", "/v2/")}/a`, { spec: { color: "blue" } });
    const older = (await server.request("GET", `${shirts}/a`)).json();
    expect(older).toMatchObject({ apiVersion: "example.com/v1", spec: { color: "blue" } });
    expect(older.metadata.generation).toBe(2);
  });
});

describe("a watch of a custom resource", () => {
  const v2 = { ...v1, name: "v2", storage: false };
  const shirtsV2 = shirts.replace("/v1/", "/v2/");

  test("ends when its definition is deleted, after the last of its objects", async () => {
    await server.create(definitions, definition([v1]));
    await server.create(shirts, shirt("a"));
    const watch = await server.watch(`${shirts}?watch=1`);
    expect((await watch.next())?.type).toBe("ADDED");
    await server.request("DELETE", `${definitions}/shirts.example.com`);
    expect((await watch.next())?.type).toBe("DELETED");
    expect(await watch.next()).toBeUndefined();
    expect((await server.watch(`${shirts}?watch=1`)).status).toBe(404);
  });

  test("gets a 410 for a version from before its definition, also when the definition was recreated", async () => {
    for (let round = 0; round < 2; round++) {
      const { metadata } = await server.create(definitions, definition([v1]));
      const before = Number(metadata.resourceVersion) - 1;
      const watch = await server.watch(`${shirts}?watch=1&resourceVersion=${before}`);
      expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
      await server.create(shirts, shirt("a"));
      await server.request("DELETE", `${definitions}/shirts.example.com`);
    }
  });

  test("stays open while an object with a finalizer delays the deletion", async () => {
    await server.create(definitions, definition([v1]));
    await server.create(shirts, shirt("held", { metadata: { name: "held", finalizers: ["x.io/y"] } }));
    const watch = await server.watch(`${shirts}?watch=1`);
    await server.request("DELETE", `${definitions}/shirts.example.com`);
    await patch(`${shirts}/held`, { metadata: { finalizers: null } });
    const types = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
    expect(types.map((event) => event?.type)).toEqual(["ADDED", "MODIFIED", "DELETED", undefined]);
  });

  test("ends when its version is no longer served; others can be resumed", async () => {
    await server.create(definitions, definition([v1, v2]));
    const old = await server.watch(`${shirtsV2}?watch=1`);
    const other = await server.watch(`${shirts}?watch=1`);
    const created = await server.create(shirts, shirt("a"));
    expect([(await old.next())?.type, (await other.next())?.type]).toEqual(["ADDED", "ADDED"]);
    await patch(`${definitions}/shirts.example.com`, { spec: { versions: [v1, { ...v2, served: false }] } });
    expect(await old.next()).toBeUndefined();
    expect((await server.watch(`${shirtsV2}?watch=1`)).status).toBe(404);
    // As on a real server, any change of the spec restarts the watches of all versions.
    expect(await other.next()).toBeUndefined();
    await server.create(shirts, shirt("b"));
    const resumed = await server.watch(
      `${shirts}?watch=1&resourceVersion=${created.metadata.resourceVersion}`,
    );
    expect((await resumed.next())?.object.metadata.name).toBe("b");
  });

  test("does not end when its definition only gets a label, or when others change", async () => {
    await server.create(definitions, definition([v1]));
    const watch = await server.watch(`${shirts}?watch=1`);
    await patch(`${definitions}/shirts.example.com`, { metadata: { labels: { a: "b" } } });
    const other = definition([v1]) as { metadata: JsonObject; spec: JsonObject };
    other.metadata = { name: "hats.example.com" };
    other.spec = { ...other.spec, names: { plural: "hats", kind: "Hat" } };
    await server.create(definitions, other);
    await server.request("DELETE", `${definitions}/hats.example.com`);
    await server.create(shirts, shirt("a"));
    expect((await watch.next())?.type).toBe("ADDED");
  });
});

test("shows a default that is newer than the object, and stores it with the next write", async () => {
  await server.create(definitions, definition([v1]));
  await server.create(shirts, { ...shirt("a"), spec: { color: "red" } });
  const spec = { ...schema.openAPIV3Schema.properties.spec };
  const properties = { ...spec.properties, size: { type: "string", default: "M" } };
  const openAPIV3Schema = {
    ...schema.openAPIV3Schema,
    properties: { ...schema.openAPIV3Schema.properties, spec: { ...spec, properties } },
  };
  await patch(`${definitions}/shirts.example.com`, {
    spec: { versions: [{ ...v1, schema: { openAPIV3Schema } }] },
  });
  const expected = { color: "red", size: "M" };
  expect((await server.request("GET", `${shirts}/a`)).json().spec).toEqual(expected);
  const list = (await server.request("GET", shirts)).json<{ items: ApiObject[] }>();
  expect(list.items[0]?.spec).toEqual(expected);
  const watch = await server.watch(`${shirts}?watch=1`);
  expect((await watch.next())?.object.spec).toEqual(expected);
});

describe("a custom resource", () => {
  beforeEach(async () => {
    await server.create(definitions, definition([v1]));
  });

  test("has its kind in a list", async () => {
    await server.create(shirts, shirt("a"));
    const list = (await server.request("GET", shirts)).json<ApiObject & { items: ApiObject[] }>();
    expect(list.kind).toBe("ShirtList");
    expect(list.items[0]).toMatchObject({ apiVersion: "example.com/v1", kind: "Shirt" });
  });

  test("separates status from the rest, and counts generations of the rest", async () => {
    const created = await server.create(shirts, shirt("a", { status: { replicas: 9 } }));
    expect(created.status).toBeUndefined();
    const status = (
      await patch(`${shirts}/a/status`, {
        metadata: { labels: { no: "no" } },
        spec: { color: "green" },
        status: { replicas: 1 },
      })
    ).json();
    expect(status).toMatchObject({
      spec: { color: "red" },
      status: { replicas: 1 },
      metadata: { generation: 1 },
    });
    expect(status.metadata.labels).toBeUndefined();
    const spec = (await patch(`${shirts}/a`, { spec: { color: "blue" }, status: { replicas: 5 } })).json();
    expect(spec).toMatchObject({
      spec: { color: "blue" },
      status: { replicas: 1 },
      metadata: { generation: 2 },
    });
    const labels = (await patch(`${shirts}/a`, { metadata: { labels: { a: "b" } } })).json();
    expect(labels.metadata).toMatchObject({ generation: 2, labels: { a: "b" } });
  });

  test("can be scaled through the paths in its definition", async () => {
    await server.create(shirts, shirt("a"));
    await patch(`${shirts}/a/status`, { status: { replicas: 2, selector: "app=shirt" } });
    const scaled = (await patch(`${shirts}/a/scale`, { spec: { replicas: 3 } })).json();
    expect(scaled).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 3 },
      status: { replicas: 2, selector: "app=shirt" },
    });
    expect((await server.request("GET", `${shirts}/a`)).json().spec).toEqual({ color: "red", replicas: 3 });
  });

  test("can only be replaced with a resourceVersion", async () => {
    await server.create(shirts, shirt("a"));
    const answer = await server.request("PUT", `${shirts}/a`, { body: shirt("a") });
    expect(answer.json()).toMatchObject({ code: 422, reason: "Invalid" });
  });

  test("rejects a strategic merge patch", async () => {
    await server.create(shirts, shirt("a"));
    const headers = { "content-type": "application/strategic-merge-patch+json" };
    expect((await server.request("PATCH", `${shirts}/a`, { body: {}, headers })).status).toBe(415);
  });
});
