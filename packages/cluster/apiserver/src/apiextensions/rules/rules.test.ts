import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const tanks = "/apis/example.com/v1/namespaces/default/tanks";
const mergePatch = { "content-type": "application/merge-patch+json" };
let server: TestServer;

const volume = { type: "integer" };
const full = { rule: "self <= 10", message: "a tank holds 10" };

function definition(level: JsonObject): JsonObject {
  const spec = { type: "object", properties: { level, color: { type: "string" } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "tanks.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "tanks", singular: "tank", kind: "Tank", listKind: "TankList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
          selectableFields: [{ jsonPath: ".spec.color" }],
        },
      ],
    },
  };
}

const tank = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Tank",
  metadata: { name },
  spec,
});

const patch = (path: string, body: JsonObject) =>
  server.request("PATCH", path, { body, headers: mergePatch });

async function names(query: string): Promise<string[]> {
  const answer = await server.request("GET", `${tanks}?${query}`);
  return answer.json<{ items: { metadata: { name: string } }[] }>().items.map((item) => item.metadata.name);
}

beforeEach(async () => {
  server = await startTestServer();
});

describe("a rule that is newer than an object", () => {
  beforeEach(async () => {
    await server.create(definitions, definition(volume));
    await server.create(tanks, tank("old", { level: 12, color: "red" }));
    const { spec } = definition({ ...volume, "x-kubernetes-validations": [full] });
    expect((await patch(`${definitions}/tanks.example.com`, { spec: spec as JsonObject })).status).toBe(200);
  });

  test("accepts unchanged values that violate it", async () => {
    const answer = await patch(`${tanks}/old`, { spec: { color: "blue" } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ spec: { level: 12, color: "blue" } });
  });

  test("validates changed and new values", async () => {
    const words = "spec.level: Invalid value: 13: a tank holds 10";
    const changed = await patch(`${tanks}/old`, { spec: { level: 13 } });
    expect(changed.status).toBe(422);
    expect(changed.json().message).toBe(`Tank.example.com "old" is invalid: ${words}`);
    const made = await server.request("POST", tanks, { body: tank("new", { level: 13 }) });
    expect(made.json().message).toBe(`Tank.example.com "new" is invalid: ${words}`);
    expect((await patch(`${tanks}/old`, { spec: { level: 3 } })).status).toBe(200);
  });
});

describe("a selectable field", () => {
  beforeEach(async () => {
    await server.create(definitions, definition(volume));
    await server.create(tanks, tank("a", { color: "red" }));
    await server.create(tanks, tank("b", { color: "blue" }));
    await server.create(tanks, tank("c", {}));
  });

  test("selects in a list; a missing value is empty", async () => {
    expect(await names("fieldSelector=spec.color=red")).toEqual(["a"]);
    expect(await names("fieldSelector=spec.color!=red")).toEqual(["b", "c"]);
    expect(await names("fieldSelector=spec.color=")).toEqual(["c"]);
    expect(await names("fieldSelector=spec.color=red,metadata.name=b")).toEqual([]);
  });

  test("selects in a watch, which deletes objects that no longer match", async () => {
    const watch = await server.watch(`${tanks}?watch=1&fieldSelector=spec.color=red`);
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
    await patch(`${tanks}/b`, { spec: { color: "red" } });
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { name: "b" } } });
    await patch(`${tanks}/a`, { spec: { color: "green" } });
    expect(await watch.next()).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
    watch.close();
  });

  test("selects the objects of a deletecollection", async () => {
    const answer = await server.request("DELETE", `${tanks}?fieldSelector=spec.color=red`);
    expect(answer.status).toBe(200);
    expect(await names("")).toEqual(["b", "c"]);
  });

  test("is required: other fields cannot be selected", async () => {
    const answer = await server.request("GET", `${tanks}?fieldSelector=spec.level=1`);
    expect(answer.status).toBe(400);
    expect(answer.json().message).toContain("field label not supported: spec.level");
  });
});
