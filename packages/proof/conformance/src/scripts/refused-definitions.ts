import type { Json, JsonMap, Script } from "../script.ts";
import { define, integer, rule, rules, script, spec, string } from "./custom-resource-words.ts";
import { objectSchema } from "./make.ts";

/** A definition that is refused. */
const refused = (name: string, schema: JsonMap, version: JsonMap = {}, more: JsonMap = {}): Script =>
  script(`refused: ${name}`, define(schema, version, more));

/** Definitions that are no good, and why. */
export const refusedDefinitions: readonly Script[] = [
  refused("an empty schema", {}),
  refused("no type", objectSchema({ properties: { a: string } } as JsonMap)),
  refused(
    "required that is not there is fine, properties beside additionalProperties are not",
    objectSchema({ type: "object", properties: { a: string }, additionalProperties: string }),
  ),
  refused("a default that does not fit", spec({ size: { type: "integer", default: "x" } })),
  refused(
    "CEL that does not compile",
    spec(
      { size: integer },
      rules(rule("self.size > 'x'"), rule("self.none == 1"), rule("1 +"), rule("self.size"), rule("")),
    ),
  ),
  refused(
    "CEL that costs too much",
    spec(
      { names: { type: "array", items: string } },
      rules(rule("self.names.all(a, self.names.all(b, self.names.all(c, a != b || b != c)))")),
    ),
  ),
  refused(
    "a messageExpression that is none",
    spec(
      { size: integer },
      rules(
        rule("self.size > 0", { messageExpression: "self.size" }),
        rule("self.size > 0", { messageExpression: "1 +" }),
        rule("self.size > 0", { reason: "Because", fieldPath: ".none" }),
      ),
    ),
  ),
  refused(
    "oldSelf where nothing correlates",
    spec({
      list: { type: "array", maxItems: 3, items: { type: "integer", ...rules(rule("self == oldSelf")) } },
    }),
  ),
  refused(
    "list types",
    spec({
      a: { type: "array", "x-kubernetes-list-type": "map", items: { type: "object", properties: {} } },
      b: { type: "array", "x-kubernetes-list-type": "heap", items: string },
    }),
  ),
  refused("a name that does not fit", spec({}), {}, { names: { plural: "beetles", kind: "Beetle" } }),
  refused(
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
  refused("a version without a schema", spec({}), { schema: null as Json }),
  refused("selectable fields", spec({ list: { type: "array", items: string }, a: string }), {
    selectableFields: [
      { jsonPath: ".spec.list" },
      { jsonPath: ".spec.none" },
      { jsonPath: ".metadata.name" },
      { jsonPath: "spec.a" },
    ],
  }),
  refused("columns and scale", spec({ a: string }), {
    additionalPrinterColumns: [{ name: "", type: "colour", jsonPath: "spec.a" }],
    subresources: { scale: { specReplicasPath: "spec.replicas", statusReplicasPath: ".spec.x" } },
  }),
  refused(
    "a conversion webhook without a client",
    spec({}),
    {},
    { conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: [] } } },
  ),
  refused("preserveUnknownFields", spec({}), {}, { preserveUnknownFields: true }),
];
