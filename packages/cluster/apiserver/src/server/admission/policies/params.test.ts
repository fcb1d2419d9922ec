import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import {
  bindPolicy,
  configMaps,
  denied,
  registration,
  startPolicyScene,
} from "../../../testing/policy-scene.ts";
import { configMap, startTestServer } from "../../../testing/test-server.ts";

// The messages are those of a real kube-apiserver for the same policies and requests.

describe("parameters", () => {
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [
      {
        expression: "int(object.data.n) <= int(params.data.max)",
        messageExpression: "'at most ' + params.data.max",
      },
    ],
    matchConditions: [{ name: "own", expression: "!object.metadata.name.startsWith('params')" }],
  };

  async function withParams(paramRef: JsonObject) {
    const all = await startPolicyScene(spec, { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } });
    // The parameters are also ConfigMaps. They exist before the policy applies to them.
    await all.server.request("DELETE", `${registration}/validatingadmissionpolicybindings/p`);
    await all.post("params-3", { max: "3" }, { use: "yes" });
    await all.post("params-5", { max: "5" }, { use: "yes" });
    await all.server.create(`${registration}/validatingadmissionpolicybindings`, {
      metadata: { name: "p" },
      spec: {
        policyName: "p",
        validationActions: ["Deny"],
        paramRef: { parameterNotFoundAction: "Deny", ...paramRef },
      },
    });
    return all;
  }

  test("by name", async () => {
    const { post } = await withParams({ name: "params-3" });
    expect((await post("a", { n: "4" })).json().message).toBe(denied("at most 3"));
    expect((await post("b", { n: "3" })).status).toBe(201);
  });

  test("by label: evaluates each one", async () => {
    const { post } = await withParams({ selector: { matchLabels: { use: "yes" } } });
    expect((await post("a", { n: "6" })).json().message).toBe(denied("at most 3"));
    expect((await post("b", { n: "3" })).status).toBe(201);
  });

  test("that do not exist", async () => {
    const { post } = await withParams({ name: "gone" });
    expect((await post("a", { n: "1" })).json().message).toBe(
      denied(
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
      ),
    );
    const lenient = await withParams({ name: "gone", parameterNotFoundAction: "Allow" });
    expect((await lenient.post("a", { n: "9" })).status).toBe(201);
  });

  test("of an unknown kind", async () => {
    const { post } = await startPolicyScene({
      paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
      validations: [{ expression: "true" }],
    });
    expect((await post("a")).json().message).toBe(
      "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
    );
  });

  test("of a custom resource", async () => {
    const server = await startTestServer();
    await server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "limits.example.com" },
      spec: {
        group: "example.com",
        names: { plural: "limits", singular: "limit", kind: "Limit", listKind: "LimitList" },
        scope: "Cluster",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties: { max: { type: "integer" } } } },
          },
        ],
      },
    });
    await server.create("/apis/example.com/v1/limits", {
      apiVersion: "example.com/v1",
      kind: "Limit",
      metadata: { name: "l" },
      max: 3,
    });
    await bindPolicy(
      server,
      {
        paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
        validations: [{ expression: "int(object.data.n) <= params.max && params.kind == 'Limit'" }],
      },
      { paramRef: { name: "l", parameterNotFoundAction: "Deny" } },
    );
    const post = (n: string) => server.request("POST", configMaps, { body: configMap(`n${n}`, { n }) });
    expect([(await post("3")).status, (await post("4")).status]).toEqual([201, 422]);
  });
});
