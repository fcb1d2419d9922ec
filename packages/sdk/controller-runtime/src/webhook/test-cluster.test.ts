import {
  type CustomResourceDefinition,
  defineResource,
  type KubeObject,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { startTestCluster, type WebhookConfiguration } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createScheme } from "../client/scheme.ts";
import { cacheCheck } from "../healthz/cache-check.ts";
import { createLogger } from "../log/create-logger.ts";
import { createManager } from "../manager/create-manager.ts";
import { newWebhookManagedBy } from "./builder/webhook-builder.ts";
import { convertible } from "./conversion/convertible.ts";
import { until } from "./testing/webhook-bench.ts";

interface CounterV1 extends KubeObject {
  spec: { id?: number; size?: number };
}
interface CounterV2 extends KubeObject {
  spec: { identity?: number; size?: number };
}
const common = { group: "example.com", kind: "Counter", plural: "counters", namespaced: true };
const countersV1 = defineResource<CounterV1>({ ...common, version: "v1" });
const countersV2 = defineResource<CounterV2>({ ...common, version: "v2" });

const integer = { type: "integer", format: "int64" };
const versionOf = (name: string, properties: Record<string, { type: string }>) => ({
  ...{ name, served: true, storage: name === "v1" },
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
});
const service = (path: string) => ({ service: { namespace: "system", name: "webhook-service", path } });

/** As controller-gen and kustomize write it. */
const definition: CustomResourceDefinition = {
  ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
  metadata: { name: "counters.example.com" },
  spec: {
    ...{ group: "example.com", scope: "Namespaced", names: { kind: "Counter", plural: "counters" } },
    versions: [
      versionOf("v1", { id: integer, size: integer }),
      versionOf("v2", { identity: integer, size: integer }),
    ],
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: service("/convert") },
    },
  },
};

function configurationOf(kind: string, path: string, operations: string[]): WebhookConfiguration {
  return {
    ...{ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name: "counters" } },
    webhooks: [
      {
        ...{ name: "counters.example.com", sideEffects: "None", admissionReviewVersions: ["v1"] },
        ...{ failurePolicy: "Fail", clientConfig: service(`/${path}-example-com-v1-counter`) },
        rules: [{ operations, apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["counters"] }],
      },
    ],
  };
}

// The real server belongs to the slow tests.
describe.each([process.env.SLOW ? "envtest" : "embedded"] as const)(
  "a test's webhooks on its cluster: %s",
  (provider) => {
    const missing =
      provider === "envtest"
        ? findControlPlane({ mayBuild: false }).then(
            () => false,
            (error: Error) => error.message,
          )
        : false;

    test("do not hold up a replica whose own cache needs them", { timeout: 180_000 }, async ({ skip }) => {
      skip(
        (await missing) !== false,
        `there is no kube-apiserver and etcd on this machine: ${await missing}`,
      );
      const cluster = await startTestCluster({ provider, crds: [definition], webhooks: [] });
      onTestFinished(() => cluster.stop());
      const stored = cluster.client.resource(countersV1).namespace("default");
      await stored.create({ metadata: { name: "old" }, spec: { id: 1 } });
      // Without its webhook server, as behind a Service that has no ready Pod.
      const manager = createManager(cluster.kubeConfig, { logger: createLogger({ level: "silent" }) });
      newControllerManagedBy(manager)
        .for(countersV2)
        .complete(() => {});
      const stop = new AbortController();
      const running = manager.start(stop.signal);
      onTestFinished(async () => {
        stop.abort();
        await running;
      });
      const informers = () => manager.cache.health().informers;
      // A real server first reports for some 20 s that its watch cache is behind.
      await vi.waitFor(() => expect(informers()[0]?.lastError?.message).toContain("conversion webhook for"), {
        timeout: 120_000,
        interval: 20,
      });
      expect(informers()).toMatchObject([{ synced: false }]);
      expect(cacheCheck(manager.cache)()).toBeUndefined();
    });

    test("default, validate, warn and convert exactly", async ({ skip }) => {
      skip(
        (await missing) !== false,
        `there is no kube-apiserver and etcd on this machine: ${await missing}`,
      );
      const cluster = await startTestCluster({
        provider,
        crds: [definition],
        webhooks: [
          configurationOf("MutatingWebhookConfiguration", "mutate", ["CREATE"]),
          configurationOf("ValidatingWebhookConfiguration", "validate", ["CREATE", "DELETE"]),
        ],
      });
      onTestFinished(() => cluster.stop());
      const manager = createManager(cluster.kubeConfig, {
        scheme: createScheme(countersV1, countersV2),
        logger: createLogger({ level: "silent" }),
        webhookServer: cluster.webhookServer,
      });
      newWebhookManagedBy(manager)
        .for(countersV1)
        .withDefaulter((counter) => {
          counter.spec = { size: 1, ...counter.spec };
        })
        .withValidator({
          validateCreate({ spec }) {
            if ((spec.size ?? 0) > 9) throw new Error("spec.size is 9 at most");
          },
          validateDelete() {
            throw new TypeError("a programming error");
          },
        })
        .withConverter(
          convertible({
            hub: countersV1,
            spokes: [
              {
                resource: countersV2,
                toHub: ({ spec: { identity, ...rest } }) => ({
                  spec: { ...rest, ...(identity && { id: identity }) },
                }),
                fromHub: ({ spec: { id, ...rest } }) => ({ spec: { ...rest, ...(id && { identity: id }) } }),
              },
            ],
          }),
        )
        .complete();
      const stop = new AbortController();
      const running = manager.start(stop.signal);
      onTestFinished(async () => {
        stop.abort();
        await running;
      });

      const path = (version: string) => `/apis/example.com/${version}/namespaces/default/counters`;
      async function ask(method: string, at: string, body?: unknown, query = {}): Promise<string> {
        const answer = await cluster.client.request({
          ...{ method, path: at, query },
          ...(body === undefined ? {} : { body }),
        });
        return Buffer.from(answer.body).toString();
      }
      const counter = (name: string, spec: object) => ({
        ...{ apiVersion: "example.com/v1", kind: "Counter", metadata: { name, namespace: "default" } },
        spec,
      });
      // The API server receives a configuration with a delay.
      await until(async () => {
        expect(await ask("POST", path("v1"), counter("probe", {}), { dryRun: "All" })).toContain('"size":1');
      });
      await expect(ask("POST", path("v1"), counter("large", { size: 10 }))).rejects.toThrow(
        'admission webhook "counters.example.com" denied the request: spec.size is 9 at most',
      );
      // JavaScript cannot represent it, and neither can the embedded cluster.
      const digits = provider === "envtest" ? "9223372036854775807" : "9007199254740991";
      const id = { toJSON: () => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits) };
      expect(await ask("POST", path("v1"), counter("one", { id }))).toContain(`"id":${digits}`);
      expect(await ask("GET", `${path("v2")}/one`)).toContain(`"identity":${digits}`);
      await expect(ask("DELETE", `${path("v1")}/one`)).rejects.toMatchObject({
        code: 500,
        message: expect.stringContaining("denied the request: panic: a programming error [recovered]"),
      });
      // A denial, not a failure: failurePolicy does not apply.
      const ignoring = [{ op: "replace" as const, path: "/webhooks/0/failurePolicy", value: "Ignore" }];
      const configurations = cluster.client.resource(validatingWebhookConfigurations);
      await configurations.patch("counters", ignoring, { type: "json" });
      await expect(ask("DELETE", `${path("v1")}/one`)).rejects.toThrow("denied the request: panic");
    });
  },
);
