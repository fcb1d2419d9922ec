import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { configMap, startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { startWebhookScene } from "../../../testing/webhook-scene.ts";

const scene = await startWebhookScene();
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("requests that a webhook matches", () => {
  const post = (server: TestServer, name: string, labels?: Record<string, string>) =>
    server.request("POST", configMaps, { body: configMap(name, {}, labels) });

  test.each<[string, JsonObject, string[]]>([
    ["operations", { rules: [rule({ operations: ["UPDATE"] })] }, []],
    ["another version", { rules: [rule({ apiVersions: ["v2"] })] }, []],
    ["wildcards", { rules: [rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] })] }, ["a", "b"]],
    ["subresources only", { rules: [rule({ resources: ["*/status"] })] }, []],
    ["resources and subresources", { rules: [rule({ resources: ["*/*"] })] }, ["a", "b"]],
    ["cluster scope", { rules: [rule({ scope: "Cluster" })] }, []],
    ["namespaces", { rules: [rule({ scope: "Namespaced" })] }, ["a", "b"]],
    ["the object's labels", { objectSelector: { matchLabels: { who: "b" } } }, ["b"]],
    [
      "the namespace's labels",
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "other" } } },
      [],
    ],
    ["conditions", { matchConditions: [{ name: "b", expression: "object.metadata.name == 'b'" }] }, ["b"]],
    [
      "the user",
      { matchConditions: [{ name: "who", expression: "request.userInfo.username == 'stranger'" }] },
      [],
    ],
    [
      "their permissions",
      {
        matchConditions: [
          { name: "may", expression: "authorizer.group('').resource('pods').check('get').allowed()" },
        ],
      },
      ["a", "b"],
    ],
  ])("%s", async (_what, members, expected) => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating", members);
    scene.hooks.on(path, () => ({}));
    await post(server, "a");
    await post(server, "b", { who: "b" });
    expect(scene.asked(path).map(({ request }) => request.name)).toEqual(expected);
  });

  test("leaves conditions that fail to failurePolicy", async () => {
    const server = await startTestServer();
    const matchConditions = [{ name: "bad", expression: "object.data.missing == 'x'" }];
    await scene.register(server, "Validating", { matchConditions });
    const answer = await post(server, "a");
    expect(answer.json()).toMatchObject({
      code: 403,
      message: `configmaps "a" is forbidden: expression 'object.data.missing == 'x'' resulted in error: no such key: data`,
    });
    const lenient = await startTestServer();
    const path = await scene.register(lenient, "Validating", { matchConditions, failurePolicy: "Ignore" });
    expect((await post(lenient, "a")).status).toBe(201);
    expect(scene.asked(path)).toEqual([]);
  });

  test("does not call webhooks about webhook configurations", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating", {
      rules: [rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] })],
    });
    scene.hooks.on(path, () => ({ allowed: false }));
    await scene.register(server, "Mutating");
    expect(scene.asked(path)).toEqual([]);
  });
});

function rule(members: JsonObject): JsonObject {
  return {
    apiGroups: [""],
    apiVersions: ["v1"],
    operations: ["CREATE"],
    resources: ["configmaps"],
    ...members,
  };
}
