import { defineResource } from "@operator-path/client";
import type { SimulatedObject } from "../server/objects.ts";

export interface Thing extends SimulatedObject {
  data?: Record<string, string>;
}

/** A built-in kind, and a custom one: they look different on the wire. */
export const things = defineResource<Thing>({
  group: "",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
});
export const widgets = defineResource<Thing>({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
});

export const namespaces = ["shop", "web"];

/** Returns the name of the nth object. */
export function placeOf(index: number): { namespace: string; name: string } {
  return { namespace: namespaces[index % namespaces.length] as string, name: `o${index}` };
}

/** Strings that look like JSON, managedFields or a line end, or have more bytes than characters. */
const texts = [
  "plain",
  "",
  "äöü – ✓ 🙂 \u2028",
  '"metadata":{"name":"x","managedFields":[{"a":"}]"}]},',
  'back\\slash" quote and \\u0022 }]}',
  "two\nlines\r\n\tand a tab \u0000\u001f",
  '{"type":"DELETED","object":{"metadata":{"uid":"no"}}}\n',
  "<b>&amp;</b>",
  "x".repeat(300),
];

/** Returns an object whose content depends on a number. */
export function contentOf(index: number, value: number, hot: boolean): Thing {
  const { namespace, name } = placeOf(index);
  const text = texts[value % texts.length] as string;
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: {
      name,
      namespace,
      labels: { tier: hot ? "hot" : "cold", app: `app-${value % 3}` },
      ...(value % 4 === 0 ? { annotations: { "example.com/last-applied": text } } : {}),
    },
    data: { value: String(value), text },
    spec: {
      template: { metadata: { name: "inner", managedFields: ["not the object's"], resourceVersion: "1" } },
      replicas: value,
      none: null,
      empty: {},
    },
  };
}
