import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { openWebhookServer, type WebhookServer } from "../../testing/webhook-server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const clocks = (version: string) => `/apis/ex.io/${version}/namespaces/default/clocks`;
const mergePatch = { "content-type": "application/merge-patch+json" };
let server: TestServer;
let webhook: WebhookServer;

const text = { type: "string", maxLength: 10 };
const schemas: Record<string, JsonObject> = {
  v1: { type: "object", properties: { spec: { type: "object", properties: { hourMinute: text } } } },
  v2: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { hour: text, minute: text, zone: { ...text, default: "UTC" } },
        "x-kubernetes-validations": [{ rule: "!has(self.hour) || self.hour != '25'" }],
      },
    },
  },
};

function definition(conversion: JsonObject, storage = "v1"): JsonObject {
  return {
    metadata: { name: "clocks.ex.io" },
    spec: {
      group: "ex.io",
      scope: "Namespaced",
      names: { plural: "clocks", kind: "Clock" },
      conversion,
      versions: ["v1", "v2"].map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: { openAPIV3Schema: schemas[name] as JsonObject },
      })),
    },
  };
}

function byWebhook(more: JsonObject = {}): JsonObject {
  const clientConfig = { ...webhook.clientConfig("/convert"), ...more };
  return { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
}

interface ConversionRequest {
  desiredAPIVersion: string;
  objects: ApiObject[];
}

/** Converts an object. v1 has `hourMinute: "12:30"`, v2 has hour and minute as two fields. */
function convert(object: ApiObject, apiVersion: string): JsonObject {
  const spec = (object.spec ?? {}) as JsonObject;
  if (apiVersion === "ex.io/v1") {
    return { ...object, apiVersion, spec: { hourMinute: `${spec.hour}:${spec.minute}` } };
  }
  const [hour = "", minute = ""] = String(spec.hourMinute).split(":");
  return { ...object, apiVersion, spec: { hour, minute } };
}

function answerWith(change: (response: JsonObject) => JsonObject): void {
  webhook.on("/convert", (request) => {
    const { desiredAPIVersion, objects } = request as unknown as ConversionRequest;
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    return change({ result: { status: "Success" }, convertedObjects });
  });
}

function clock(hourMinute: string, name = "a"): JsonObject {
  return { apiVersion: "ex.io/v1", kind: "Clock", metadata: { name }, spec: { hourMinute } };
}

async function specOf(path: string): Promise<unknown> {
  return (await server.request("GET", path)).json().spec;
}

beforeEach(async () => {
  webhook = await openWebhookServer();
  onTestFinished(() => webhook.close());
  answerWith((response) => response);
  server = await startTestServer();
});

describe("by a webhook", () => {
  beforeEach(() => server.create(definitions, definition(byWebhook())));

  test("reads, lists, writes and deletes objects in every version", async () => {
    await server.create(clocks("v1"), clock("12:30"));
    const later = {
      apiVersion: "ex.io/v2",
      kind: "Clock",
      metadata: { name: "b" },
      spec: { hour: "9", minute: "5" },
    };
    const created = await server.create(clocks("v2"), later);
    expect(created).toMatchObject({ apiVersion: "ex.io/v2", spec: { hour: "9", minute: "5" } });
    // Defaults come from the stored version.
    expect(await specOf(`${clocks("v2")}/a`)).toEqual({ hour: "12", minute: "30" });
    expect(await specOf(`${clocks("v1")}/b`)).toEqual({ hourMinute: "9:5" });
    const list = (await server.request("GET", clocks("v2"))).json();
    expect((list.items as unknown as ApiObject[]).map(({ apiVersion, spec }) => [apiVersion, spec])).toEqual([
      ["ex.io/v2", { hour: "12", minute: "30" }],
      ["ex.io/v2", { hour: "9", minute: "5" }],
    ]);
    const body = { spec: { minute: "45" } };
    const patched = await server.request("PATCH", `${clocks("v2")}/a`, { body, headers: mergePatch });
    expect(patched.json().spec).toMatchObject({ hour: "12", minute: "45" });
    expect(await specOf(`${clocks("v1")}/a`)).toEqual({ hourMinute: "12:45" });
    expect((await server.request("DELETE", `${clocks("v2")}/a`)).status).toBe(200);
    expect((await server.request("GET", `${clocks("v1")}/a`)).status).toBe(404);
  });

  test("applies the validation rules of the requested version", async () => {
    const body = { apiVersion: "ex.io/v2", kind: "Clock", metadata: { name: "a" }, spec: { hour: "25" } };
    const answer = await server.request("POST", clocks("v2"), { body });
    expect([answer.status, answer.json().message]).toEqual([
      422,
      `Clock.ex.io "a" is invalid: spec: Invalid value: failed rule: !has(self.hour) || self.hour != '25'`,
    ]);
  });

  test("sends every watch event in the watched version, in order", async () => {
    await server.create(clocks("v1"), clock("1:00"));
    const watch = await server.watch(`${clocks("v2")}?watch=1`);
    expect(await watch.next()).toMatchObject({
      type: "ADDED",
      object: { spec: { hour: "1", minute: "00" } },
    });
    for (const hourMinute of ["2:00", "3:00"]) {
      const body = { spec: { hourMinute } };
      await server.request("PATCH", `${clocks("v1")}/a`, { body, headers: mergePatch });
    }
    await server.request("DELETE", `${clocks("v1")}/a`);
    const events = [await watch.next(), await watch.next(), await watch.next()];
    expect(
      events.map((event) => [event?.type, (event?.object.spec as JsonObject | undefined)?.hour]),
    ).toEqual([
      ["MODIFIED", "2"],
      ["MODIFIED", "3"],
      ["DELETED", "3"],
    ]);
    watch.close();
  });

  test("sends the deletion of the last object before a watch ends with the CRD", async () => {
    await server.create(clocks("v1"), clock("1:00"));
    const watch = await server.watch(`${clocks("v2")}?watch=1`);
    expect(await watch.next()).toMatchObject({ type: "ADDED" });
    await server.request("DELETE", `${definitions}/clocks.ex.io`);
    expect(await watch.next()).toMatchObject({ type: "DELETED", object: { spec: { hour: "1" } } });
    expect(await watch.next()).toBeUndefined();
  });

  test("sends one review for all objects of a list, and requires its uid in the response", async () => {
    for (const name of ["a", "b", "c"]) await server.create(clocks("v1"), clock("1:00", name));
    await server.request("GET", clocks("v2"));
    expect(webhook.received).toHaveLength(1);
    const [{ path, request } = { path: "", request: undefined }] = webhook.received;
    expect(path).toBe("/convert?timeout=30s");
    expect(request).toMatchObject({ desiredAPIVersion: "ex.io/v2", objects: [{}, {}, {}] });
  });

  test.each<[string, (response: JsonObject) => JsonObject, string]>([
    [
      "a failure of its own",
      () => ({ result: { status: "Failure", message: "no time" } }),
      "failed: no time",
    ],
    ["no status", () => ({ result: {} }), "failed: response.result.status was '', not 'Success'"],
    [
      "too few objects",
      (response) => ({ ...response, convertedObjects: [] }),
      "returned 0 objects, expected 1",
    ],
    [
      "another uid",
      (response) => ({ ...response, uid: "x" }),
      'failed: expected response.uid="<uid>", got "x"',
    ],
    [
      "another name",
      (response) =>
        changed(response, (object) => ({ ...object, metadata: { ...object.metadata, name: "z" } })),
      "returned invalid object: must have the same name: a != z",
    ],
    [
      "another version",
      (response) => changed(response, (object) => ({ ...object, apiVersion: "ex.io/v3" })),
      "returned invalid object at index 0: invalid groupVersion (expected ex.io/v2, received ex.io/v3)",
    ],
  ])("reports with 500: %s", async (_name, change, words) => {
    await server.create(clocks("v1"), clock("1:00"));
    answerWith(change);
    const answer = await server.request("GET", `${clocks("v2")}/a`);
    const message = String(answer.json().message).replace(/uid="[0-9a-f-]{36}"/, 'uid="<uid>"');
    expect([answer.status, message]).toEqual([500, `conversion webhook for ex.io/v1, Kind=Clock ${words}`]);
    // A read that needs no conversion works.
    expect((await server.request("GET", `${clocks("v1")}/a`)).status).toBe(200);
  });

  test("takes only labels and annotations of the webhook's metadata", async () => {
    answerWith((response) =>
      changed(response, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { made: "here" }, finalizers: ["no/such"] },
      })),
    );
    await server.create(clocks("v1"), clock("1:00"));
    const { metadata } = (await server.request("GET", `${clocks("v2")}/a`)).json();
    expect(metadata.labels).toEqual({ made: "here" });
    expect(metadata.finalizers).toBeUndefined();
  });
});

function changed(response: JsonObject, change: (object: ApiObject) => JsonObject): JsonObject {
  const objects = response.convertedObjects as unknown as ApiObject[];
  return { ...response, convertedObjects: objects.map(change) };
}

test("fails reads that need an unreachable webhook, and serves those that need no conversion", async () => {
  await server.create(definitions, definition(byWebhook({ url: "https://127.0.0.1:1/convert" })));
  await server.create(clocks("v1"), clock("1:00"));
  const answer = await server.request("GET", `${clocks("v2")}/a`);
  expect([answer.status, answer.json().message]).toEqual([
    500,
    'conversion webhook for ex.io/v1, Kind=Clock failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
  ]);
});

test("changes only the version without a webhook, and prunes fields that are not in its schema", async () => {
  await server.create(definitions, definition({ strategy: "None" }));
  await server.create(clocks("v1"), clock("1:00"));
  expect(await specOf(`${clocks("v2")}/a`)).toEqual({});
  expect(await specOf(`${clocks("v1")}/a`)).toEqual({ hourMinute: "1:00" });
});

test("records a new storage version, and converts each object with its next write", async () => {
  await server.create(definitions, definition(byWebhook()));
  await server.create(clocks("v1"), clock("1:00"));
  const body = { spec: (definition(byWebhook(), "v2") as { spec: JsonObject }).spec };
  const updated = await server.request("PATCH", `${definitions}/clocks.ex.io`, { body, headers: mergePatch });
  expect(updated.json().status).toMatchObject({ storedVersions: ["v1", "v2"] });
  expect(await specOf(`${clocks("v1")}/a`)).toEqual({ hourMinute: "1:00" });
  const change = { body: { spec: { hourMinute: "2:00" } }, headers: mergePatch };
  await server.request("PATCH", `${clocks("v1")}/a`, change);
  const before = webhook.received.length;
  expect(await specOf(`${clocks("v2")}/a`)).toEqual({ hour: "2", minute: "00", zone: "UTC" });
  expect(webhook.received).toHaveLength(before);
});
