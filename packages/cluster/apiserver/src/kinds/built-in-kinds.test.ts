import { describe, expect, test } from "vitest";
import type { JsonObject } from "../lib/json/json.ts";
import { builtInKinds } from "./built-in-kinds.ts";
import { pullPolicyFor } from "./core/pod/defaults.ts";

const deployment = () => ({
  metadata: { name: "a" },
  spec: { template: { spec: { containers: [{ name: "x", image: "nginx:1.27" }] } } },
});

const kinds = builtInKinds({
  authorize: () => ({ allowed: true }),
  rbac: { rulesFor: () => ({ rules: [], errors: [] }), roleRules: () => [] },
});

function applyDefaults(object: JsonObject, resource: string): void {
  kinds[resource]?.setDefaults?.(object);
}

describe("the defaults of built-in kinds", () => {
  test("change nothing the second time", () => {
    const object = deployment();
    applyDefaults(object, "apps/deployments");
    const once = structuredClone(object);
    applyDefaults(object, "apps/deployments");
    expect(object).toEqual(once);
    expect(once.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
  });

  test("give an autoscaler a CPU target and complete scaling rules", () => {
    const object = { spec: { maxReplicas: 3, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } };
    applyDefaults(object, "autoscaling/horizontalpodautoscalers");
    const target = { type: "Utilization", averageUtilization: 80 };
    const all = { type: "Percent", value: 100, periodSeconds: 15 };
    expect(object.spec).toEqual({
      ...{ minReplicas: 1, maxReplicas: 3 },
      metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
      behavior: {
        scaleUp: {
          ...{ selectPolicy: "Max", stabilizationWindowSeconds: 0 },
          policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, all],
        },
        scaleDown: { selectPolicy: "Max", stabilizationWindowSeconds: 60, policies: [all] },
      },
    });
  });

  test("keep an explicit zero", () => {
    const object = { spec: { replicas: 0, template: { spec: { terminationGracePeriodSeconds: 0 } } } };
    applyDefaults(object, "apps/deployments");
    expect(object.spec.replicas).toBe(0);
    expect(object.spec.template.spec.terminationGracePeriodSeconds).toBe(0);
  });

  test("merge stringData over data, also for names like __proto__", () => {
    const object = JSON.parse('{"data":{"a":"eA==","b":"eQ=="},"stringData":{"a":"new","__proto__":"p"}}');
    applyDefaults(object, "/secrets");
    expect(Object.entries(object.data)).toEqual([
      ["a", "bmV3"],
      ["b", "eQ=="],
      ["__proto__", "cA=="],
    ]);
    expect(object).not.toHaveProperty("stringData");
  });

  test.each([
    ["nginx", "Always"],
    ["nginx:latest", "Always"],
    ["nginx:1.27", "IfNotPresent"],
    ["localhost:5000/nginx", "Always"],
    ["localhost:5000/nginx:1", "IfNotPresent"],
    ["nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000", "IfNotPresent"],
    ["", "IfNotPresent"],
  ])("pull image %j with the policy %s", (image, policy) => {
    expect(pullPolicyFor(image)).toBe(policy);
  });
});
