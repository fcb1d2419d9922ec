import { customResourceDefinitions } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createObjectClient } from "@operator-path/controller-runtime";
import { expect, onTestFinished, test } from "vitest";
import { createResourceMapper } from "./resource-mapper.ts";

const widgetType = { apiVersion: "example.com/v1", kind: "Widget" };
const widgetDefinition = {
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced" as const,
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

test("finds a kind whose CRD is created later, and can write its objects then", async () => {
  const cluster = await startTestCluster();
  onTestFinished(() => cluster.stop());
  const mapper = createResourceMapper(cluster.client);
  expect(await mapper.resourceFor(widgetType)).toBeUndefined();

  await cluster.client.resource(customResourceDefinitions).create(widgetDefinition);
  const widget = { ...widgetType, metadata: { namespace: "default", name: "first" } };
  await expect
    .poll(() => mapper.resourceFor(widgetType))
    .toMatchObject({ plural: "widgets", namespaced: true });
  const client = createObjectClient(cluster.client, { scheme: mapper.scheme });
  await expect.poll(() => client.create(widget).catch(String)).toMatchObject(widget);
});

test("knows built-in kinds without a request, and rejects an object without a kind", async () => {
  const mapper = createResourceMapper({ request: () => Promise.reject(new Error("unexpected request")) });
  const type = { apiVersion: "apps/v1", kind: "Deployment" };
  expect(await mapper.resourceFor(type)).toMatchObject({ plural: "deployments" });
  await expect(mapper.resourceFor({ kind: "Deployment" })).rejects.toThrow("no apiVersion");
  await expect(mapper.resourceFor({ apiVersion: "apps/v1", kind: "Nothing" })).rejects.toThrow(
    "unexpected request",
  );
});
