import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { configMap, startTestServer } from "../../../testing/test-server.ts";
import { startWebhookScene } from "../../../testing/webhook-scene.ts";
import { patchResponse } from "../../../testing/webhook-server.ts";

const scene = await startWebhookScene();
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("a mutating webhook", () => {
  test("receives the object before it is stored, and changes it", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Mutating", { timeoutSeconds: 7 });
    scene.hooks.on(path, () => patchResponse([{ op: "add", path: "/data/b", value: "2" }]));
    const created = await server.create(`${configMaps}?fieldManager=me`, configMap("a", { a: "1" }));
    expect(created.data).toEqual({ a: "1", b: "2" });
    const [call] = scene.asked(path);
    expect(call?.path).toBe(`${path}?timeout=7s`);
    expect(call?.headers["user-agent"]).toBe("kube-apiserver-admission");
    expect(call?.request).toMatchObject({
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      requestResource: { group: "", version: "v1", resource: "configmaps" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "kubernetes-admin" },
      object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { a: "1" } },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
    });
    // The server assigns these fields afterwards.
    expect(call?.request.object).not.toHaveProperty("metadata.uid");
  });

  test("is called in the order of configuration names, then in the order of the list", async () => {
    const server = await startTestServer();
    const order: string[] = [];
    for (const name of ["c", "a", "b"]) {
      const path = await scene.register(server, "Mutating", {}, name);
      scene.hooks.on(path, ({ object }) => {
        order.push(`${name} ${Object.keys((object as JsonObject).data ?? {}).sort()}`);
        return patchResponse([{ op: "add", path: `/data/${name}`, value: "x" }]);
      });
    }
    await server.create(configMaps, configMap("a", { z: "z" }));
    expect(order).toEqual(["a z", "b a,z", "c a,b,z"]);
  });

  test("is called again only after a later change, and only if it requests that", async () => {
    const server = await startTestServer();
    const eager = await scene.register(server, "Mutating", { reinvocationPolicy: "IfNeeded" }, "a");
    const once = await scene.register(server, "Mutating", {}, "b");
    const changing = await scene.register(server, "Mutating", {}, "c");
    scene.hooks.on(eager, () => ({}));
    scene.hooks.on(once, () => ({}));
    scene.hooks.on(changing, ({ name }) =>
      name === "plain" ? {} : patchResponse([{ op: "add", path: "/data/c", value: "c" }]),
    );
    await server.create(configMaps, configMap("plain", { a: "1" }));
    expect([eager, once, changing].map((path) => scene.asked(path).length)).toEqual([1, 1, 1]);
    await server.create(configMaps, configMap("changed", { a: "1" }));
    expect([eager, once, changing].map((path) => scene.asked(path).length)).toEqual([3, 2, 2]);
    expect(scene.asked(eager)[2]?.request.object).toMatchObject({ data: { a: "1", c: "c" } });
  });

  test("may remove the kind, but not change it", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Mutating");
    scene.hooks.on(path, () =>
      patchResponse([
        { op: "remove", path: "/kind" },
        { op: "replace", path: "/apiVersion", value: "" },
      ]),
    );
    expect(await server.create(configMaps, configMap("a"))).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
    });
  });

  test("cannot change requests that store nothing, but can refuse them", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Mutating");
    scene.hooks.on(path, () => patchResponse([{ op: "add", path: "/data/b", value: "2" }]));
    await server.request("POST", configMaps, { body: configMap("a", { a: "1" }) });
    scene.hooks.on(path, () => patchResponse([{ op: "remove", path: "/data" }]));
    const answer = await server.request("DELETE", `${configMaps}/a`);
    expect(answer.json()).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported for this operation',
    });
    expect((await server.request("GET", `${configMaps}/a`)).status).toBe(200);
  });

  test("is called again with the object that others have written meanwhile", async () => {
    const server = await startTestServer();
    await server.create(configMaps, configMap("a", { a: "1" }));
    const path = await scene.register(server, "Mutating");
    let first = true;
    scene.hooks.on(path, async () => {
      if (first) {
        first = false;
        await server.request("PATCH", `${configMaps}/a`, {
          body: { data: { b: "2" } },
          headers: { "content-type": "application/merge-patch+json" },
        });
      }
      return {};
    });
    const answer = await server.request("PATCH", `${configMaps}/a`, {
      body: { data: { c: "3" } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect(answer.json().data).toEqual({ a: "1", b: "2", c: "3" });
  });
});

describe("a patch that cannot be applied", () => {
  // The messages of gopkg.in/evanphx/json-patch, which users of a real server see.
  test.each<[JsonObject[], string]>([
    [
      [{ op: "add", path: "/metadata/labels/a", value: "b" }],
      'add operation does not apply: doc is missing path: "/metadata/labels/a": missing value',
    ],
    [
      [{ op: "remove", path: "/metadata/annotations" }],
      "error in remove for path: '/metadata/annotations': Unable to remove nonexistent key: annotations: missing value",
    ],
    [
      [{ op: "replace", path: "/spec/replicas", value: 1 }],
      "replace operation does not apply: doc is missing path: /spec/replicas: missing value",
    ],
    [[{ op: "test", path: "/data/a", value: "z" }], "testing value /data/a failed: test failed"],
    [
      [{ op: "move", from: "/data/none", path: "/data/z" }],
      "error in move for path: 'none': Unable to remove nonexistent key: none: missing value",
    ],
    [
      [{ op: "add", path: "/metadata/finalizers/5", value: "a/b" }],
      "error in add for path: '/metadata/finalizers/5': Unable to access invalid index: 5: invalid index referenced",
    ],
    [[{ op: "nope", path: "/data/a" }], "Unexpected kind: nope"],
    [
      [{ op: "replace", path: "/kind", value: "Secret" }],
      'admission webhook "a.example.com" changed what the object is: expected apiVersion "v1", kind "ConfigMap", got apiVersion "v1", kind "Secret"',
    ],
    [
      [{ op: "replace", path: "/apiVersion", value: "v2" }],
      'admission webhook "a.example.com" changed what the object is: expected apiVersion "v1", kind "ConfigMap", got apiVersion "v2", kind "ConfigMap"',
    ],
    [
      [
        { op: "add", path: "/data/b", value: "x".repeat(1024 * 1024) },
        ...["c", "d", "e"].map((name) => ({ op: "copy", from: "/data/b", path: `/data/${name}` })),
      ],
      "Unable to complete the copy, the accumulated size increase of copy is 3145734, exceeding the limit 3145728",
    ],
    [
      [{ op: "add", path: "/data/a", value: 5 }],
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
  ])("%j", async (operations, why) => {
    const server = await startTestServer();
    const path = await scene.register(server, "Mutating");
    scene.hooks.on(path, () => patchResponse(operations));
    const body = configMap("a", { a: "1" });
    const answer = await server.request("POST", configMaps, {
      body: { ...body, metadata: { name: "a", finalizers: ["example.com/a"] } },
    });
    expect(answer.json()).toMatchObject({ code: 500, message: `Internal error occurred: ${why}` });
  });
});
