import type { Json, JsonMap, Script } from "../script.ts";
import { customResourceScript, define, integer, objectSchema, rule, rules, spec, string } from "./make.ts";

/** Returns a script with a CRD that the server rejects. */
const rejected = (name: string, schema: JsonMap, version: JsonMap = {}, more: JsonMap = {}): Script =>
  customResourceScript(`rejected: ${name}`, define(schema, version, more));

/** Invalid CRDs, and the errors about them. */
export const rejectedDefinitions: readonly Script[] = [
  rejected("an empty schema", {}),
  rejected("no type", objectSchema({ properties: { a: string } } as JsonMap)),
  rejected(
    "properties beside additionalProperties",
    objectSchema({ type: "object", properties: { a: string }, additionalProperties: string }),
  ),
  rejected("an invalid default", spec({ size: { type: "integer", default: "x" } })),
  rejected(
    "CEL that does not compile",
    spec(
      { size: integer },
      rules(rule("self.size > 'x'"), rule("self.none == 1"), rule("1 +"), rule("self.size"), rule("")),
    ),
  ),
  rejected(
    "CEL that costs too much",
    spec(
      { names: { type: "array", items: string } },
      rules(rule("self.names.all(a, self.names.all(b, self.names.all(c, a != b || b != c)))")),
    ),
  ),
  rejected(
    "an invalid messageExpression",
    spec(
      { size: integer },
      rules(
        rule("self.size > 0", { messageExpression: "self.size" }),
        rule("self.size > 0", { messageExpression: "1 +" }),
        rule("self.size > 0", { reason: "Because", fieldPath: ".none" }),
      ),
    ),
  ),
  rejected(
    "oldSelf without correlation",
    spec({
      list: { type: "array", maxItems: 3, items: { type: "integer", ...rules(rule("self == oldSelf")) } },
    }),
  ),
  rejected(
    "list types",
    spec({
      a: { type: "array", "x-kubernetes-list-type": "map", items: { type: "object", properties: {} } },
      b: { type: "array", "x-kubernetes-list-type": "heap", items: string },
    }),
  ),
  rejected("an invalid name", spec({}), {}, { names: { plural: "beetles", kind: "Beetle" } }),
  rejected(
    "two storage versions, and none",
    spec({}),
    {},
    {
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
        { name: "v2", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
    },
  ),
  rejected("a version without a schema", spec({}), { schema: null as Json }),
  rejected("selectable fields", spec({ list: { type: "array", items: string }, a: string }), {
    selectableFields: [
      { jsonPath: ".spec.list" },
      { jsonPath: ".spec.none" },
      { jsonPath: ".metadata.name" },
      { jsonPath: "spec.a" },
    ],
  }),
  rejected("columns and scale", spec({ a: string }), {
    additionalPrinterColumns: [{ name: "", type: "colour", jsonPath: "spec.a" }],
    subresources: { scale: { specReplicasPath: "spec.replicas", statusReplicasPath: ".spec.x" } },
  }),
  rejected(
    "a conversion webhook without a clientConfig",
    spec({}),
    {},
    { conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: [] } } },
  ),
  rejected("preserveUnknownFields", spec({}), {}, { preserveUnknownFields: true }),
];
