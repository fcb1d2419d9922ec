import { type CustomResourceDefinition, defineResource } from "@operator-path/client";
import type { Thing } from "../objects.ts";

/** Built-in kinds have another field order on the wire than custom ones. */
export const kinds = {
  configmaps: defineResource<Thing>({
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    namespaced: true,
  }),
  widgets: defineResource<Thing>({
    group: "faults.operator-path.dev",
    version: "v1",
    kind: "Widget",
    plural: "widgets",
    namespaced: true,
  }),
} as const;

export const widgetDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.faults.operator-path.dev" },
  spec: {
    group: kinds.widgets.group,
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { data: { type: "object", additionalProperties: { type: "string" } } },
          },
        },
      },
    ],
  },
};
