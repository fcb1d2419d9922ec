import { beforeEach, describe, expect, test } from "vitest";
import { configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";

const collection = "/api/v1/namespaces/default/configmaps";
const mergePatch = { "content-type": "application/merge-patch+json" };
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});

async function revision(): Promise<string> {
  const list = (await server.request("GET", collection)).json();
  return list.metadata.resourceVersion as string;
}

describe("create", () => {
  test("sets the fields that only the server knows", async () => {
    const created = await server.create(collection, {
      metadata: {
        name: "a",
        uid: "forged",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
      },
    });
    expect(created.metadata).toEqual({
      name: "a",
      namespace: "default",
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: await revision(),
      creationTimestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(created.metadata.uid).not.toBe("forged");
    expect(created.metadata.creationTimestamp).not.toContain("2001");
  });

  test("generates names from generateName, with letters that form no words", async () => {
    const { metadata } = await server.create(collection, { metadata: { generateName: "job-" } });
    expect(metadata.name).toMatch(/^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const long = await server.create(collection, { metadata: { generateName: `${"x".repeat(70)}-` } });
    expect(long.metadata.name).toHaveLength(63);
  });

  test("tries other names when a generated one is taken, then gives up", async () => {
    const repeating = await startTestServer({ random: () => 0.5 });
    await repeating.create(collection, { metadata: { generateName: "a-" } });
    const answer = await repeating.request("POST", collection, {
      body: { metadata: { generateName: "a-" } },
    });
    expect(answer.status).toBe(409);
    expect(answer.json().message).toMatch(
      /the server was not able to generate a unique name for the object$/,
    );
  });

  test("requires an existing namespace", async () => {
    const answer = await server.request("POST", "/api/v1/namespaces/none/configmaps", {
      body: configMap("a"),
    });
    expect(answer.json()).toMatchObject({ code: 404, message: 'namespaces "none" not found' });
  });

  test("stores nothing in a dry run, which still finds conflicts", async () => {
    const before = await revision();
    const answer = await server.request("POST", `${collection}?dryRun=All`, { body: configMap("a") });
    expect(answer.status).toBe(201);
    expect(answer.json().metadata).toMatchObject({ name: "a", uid: expect.any(String) });
    expect(answer.json().metadata.resourceVersion).toBeUndefined();
    expect(await revision()).toBe(before);
    await server.create(collection, configMap("a"));
    expect((await server.request("POST", `${collection}?dryRun=All`, { body: configMap("a") })).status).toBe(
      409,
    );
  });

  test("rejects unknown fields, warns of them, or ignores them", async () => {
    const post = (mode: string, name: string) =>
      server.request("POST", `${collection}?fieldValidation=${mode}`, {
        body: { ...configMap(name), foo: 1 },
      });
    const strict = await post("Strict", "a");
    expect(strict.status).toBe(400);
    expect(strict.json().message).toContain('strict decoding error: unknown field "foo"');
    const warn = await post("Warn", "b");
    expect([warn.status, warn.headers.warning]).toEqual([201, '299 - "unknown field \\"foo\\""']);
    const ignore = await post("Ignore", "c");
    expect([ignore.status, ignore.headers.warning]).toEqual([201, undefined]);
    expect(ignore.json().foo).toBeUndefined();
  });

  test("treats __proto__ as an ordinary key", async () => {
    const created = await server.request("POST", collection, {
      body: '{"metadata":{"name":"a","annotations":{"x":"y"}},"data":{"__proto__":"v"}}',
    });
    expect(created.text).toContain('"__proto__":"v"');
    expect(({} as Record<string, unknown>).v).toBeUndefined();
  });
});

describe("update", () => {
  test("with an older resourceVersion is a conflict, and changes nothing", async () => {
    const created = await server.create(collection, configMap("a", { n: "1" }));
    await server.request("PUT", `${collection}/a`, { body: { ...created, data: { n: "2" } } });
    const answer = await server.request("PUT", `${collection}/a`, { body: { ...created, data: { n: "3" } } });
    expect(answer.json()).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect((await server.request("GET", `${collection}/a`)).json().data).toEqual({ n: "2" });
  });

  test("without a resourceVersion succeeds, except for leases and custom resources", async () => {
    await server.create(collection, configMap("a"));
    const answer = await server.request("PUT", `${collection}/a`, { body: configMap("a", { n: "2" }) });
    expect(answer.status).toBe(200);
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    await server.create(leases, { metadata: { name: "l" }, spec: { holderIdentity: "a" } });
    const refused = await server.request("PUT", `${leases}/l`, {
      body: { metadata: { name: "l" }, spec: {} },
    });
    expect(refused.json()).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update",
      ),
    });
  });

  test("that changes nothing writes nothing", async () => {
    const created = await server.create(collection, configMap("a", { n: "1" }, { x: "y" }));
    const again = await server.request("PUT", `${collection}/a`, { body: created });
    expect(again.json().metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    const patched = await server.request("PATCH", `${collection}/a`, {
      body: { data: { n: "1" } },
      headers: mergePatch,
    });
    expect(patched.json().metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });

  test("cannot change fields of the server", async () => {
    const created = await server.create(collection, configMap("a"));
    const body = {
      metadata: {
        creationTimestamp: null,
        deletionTimestamp: "2001-01-01T00:00:00Z",
        generation: 9,
        managedFields: [],
      },
      data: { n: "2" },
    };
    const patched = (await server.request("PATCH", `${collection}/a`, { body, headers: mergePatch })).json();
    const { resourceVersion: _before, ...before } = created.metadata;
    const { resourceVersion: _after, ...after } = patched.metadata;
    expect(after).toEqual(before);
  });

  test("treats a resourceVersion in a patch as a precondition", async () => {
    const created = await server.create(collection, configMap("a"));
    const patch = (resourceVersion: string, n: string) =>
      server.request("PATCH", `${collection}/a`, {
        body: { metadata: { resourceVersion }, data: { n } },
        headers: mergePatch,
      });
    expect((await patch(created.metadata.resourceVersion as string, "1")).status).toBe(200);
    expect((await patch(created.metadata.resourceVersion as string, "2")).status).toBe(409);
  });

  test("creates by server-side apply, then updates", async () => {
    const apply = (value: string) =>
      server.request("PATCH", `${collection}/a?fieldManager=x`, {
        body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: ${value}}\n`,
        headers: { "content-type": "application/apply-patch+yaml" },
      });
    expect((await apply("one")).status).toBe(201);
    expect((await apply("two")).json()).toMatchObject({
      data: { key: "two" },
      metadata: { managedFields: [{ manager: "x", operation: "Apply" }] },
    });
  });
});

describe("delete", () => {
  test("answers with the object's identity, and removes it", async () => {
    const created = await server.create(collection, configMap("a"));
    const answer = await server.request("DELETE", `${collection}/a`);
    expect(answer.json()).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: created.metadata.uid },
    });
    const gone = await server.request("GET", `${collection}/a`);
    expect(gone.json()).toMatchObject({ code: 404, message: 'configmaps "a" not found' });
  });

  test("waits until the last finalizer is removed", async () => {
    await server.create(collection, {
      ...configMap("a"),
      metadata: { name: "a", finalizers: ["x.io/hold"] },
    });
    const first = (await server.request("DELETE", `${collection}/a`)).json();
    expect(first.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 0,
    });
    const again = await server.request("POST", collection, { body: configMap("a") });
    expect(again.json().message).toBe('object is being deleted: configmaps "a" already exists');
    await server.request("PATCH", `${collection}/a`, {
      body: { metadata: { finalizers: null } },
      headers: mergePatch,
    });
    expect((await server.request("GET", `${collection}/a`)).status).toBe(404);
  });

  test.each([
    ["Foreground", ["foregroundDeletion"]],
    ["Orphan", ["orphan"]],
  ])("leaves %s to the garbage collector", async (propagationPolicy, finalizers) => {
    await server.create(collection, configMap("a"));
    const answer = (
      await server.request("DELETE", `${collection}/a`, { body: { propagationPolicy } })
    ).json();
    expect(answer.metadata).toMatchObject({ finalizers, deletionTimestamp: expect.any(String) });
  });

  test("reports failed preconditions as conflicts", async () => {
    const { metadata } = await server.create(collection, configMap("a"));
    for (const preconditions of [{ uid: "x" }, { resourceVersion: "1" }]) {
      expect((await server.request("DELETE", `${collection}/a`, { body: { preconditions } })).status).toBe(
        409,
      );
    }
    const { uid, resourceVersion } = metadata;
    const body = { preconditions: { uid, resourceVersion } };
    expect((await server.request("DELETE", `${collection}/a`, { body })).status).toBe(200);
  });

  test("of a collection removes the objects that the selector matches", async () => {
    await server.create(collection, configMap("a", {}, { app: "x" }));
    await server.create(collection, configMap("b", {}, { app: "y" }));
    const answer = await server.request("DELETE", `${collection}?labelSelector=app=x`);
    expect(answer.json<{ items: unknown[] }>().items).toHaveLength(1);
    const left = (await server.request("GET", collection)).json<{
      items: { metadata: { name: string } }[];
    }>();
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
  });
});

describe("namespaces", () => {
  const path = "/api/v1/namespaces/demo";
  beforeEach(async () => {
    await server.create("/api/v1/namespaces", { metadata: { name: "demo" } });
  });

  test("accept no new objects while they terminate, and are removed when they are finalized", async () => {
    const deleted = (await server.request("DELETE", path)).json();
    expect(deleted).toMatchObject({ status: { phase: "Terminating" }, spec: { finalizers: ["kubernetes"] } });
    const refused = await server.request("POST", `${path}/configmaps`, { body: configMap("a") });
    expect(refused.json()).toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace demo because it is being terminated',
      details: { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] },
    });
    const { metadata } = deleted;
    const body = { apiVersion: "v1", kind: "Namespace", metadata, spec: { finalizers: [] } };
    expect((await server.request("PUT", `${path}/finalize`, { body })).status).toBe(200);
    expect((await server.request("GET", path)).status).toBe(404);
  });

  test("change their finalizers only through finalize", async () => {
    const body = { metadata: { name: "demo" }, spec: { finalizers: [] } };
    const answer = await server.request("PUT", path, { body });
    expect(answer.json().spec).toEqual({ finalizers: ["kubernetes"] });
  });

  test.each(["default", "kube-system", "kube-public"])("refuse to delete %s", async (name) => {
    const answer = await server.request("DELETE", `/api/v1/namespaces/${name}`);
    expect(answer.json()).toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });
});
