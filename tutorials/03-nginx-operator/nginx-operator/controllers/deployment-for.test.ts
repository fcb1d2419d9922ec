import { expect, test } from "vitest";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { deploymentFor } from "./deployment.ts";
import { sample } from "./sample.ts";

/** Tells whether the selector of one Deployment matches the Pods of another one. */
function selects(one: OvhNginx, other: OvhNginx): boolean {
  const selector = Object.entries(deploymentFor(one).spec?.selector.matchLabels ?? {});
  const labels = deploymentFor(other).spec?.template.metadata?.labels ?? {};
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

test("a Deployment has as many replicas as the spec says", () => {
  expect(deploymentFor(sample({ replicaCount: 5 })).spec?.replicas).toBe(5);
});

test("its selector matches its own Pods, and not those of another OvhNginx", () => {
  const other = { ...sample(), metadata: { ...sample().metadata, name: "other" } };
  expect({ own: selects(sample(), sample()), other: selects(sample(), other) }).toEqual({
    own: true,
    other: false,
  });
});

test("its Pods have a port http, where nginx listens", () => {
  const [container] = deploymentFor(sample({ port: 9000 })).spec?.template.spec?.containers ?? [];
  expect(container?.ports).toMatchObject([{ name: "http", containerPort: 8080 }]);
});

test("an OvhNginx without a version runs the default, as before", async () => {
  const { spec } = deploymentFor(sample());
  const [container] = spec?.template.spec?.containers ?? [];
  expect(container?.image).toBe("nginxinc/nginx-unprivileged:1.29-alpine");
});
