import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange, Given } from "../exchange.ts";
import { bug, bugs, definition, json, mergePatch, paths, workload } from "../objects.ts";

// Mistakes of learners and operators, one per case. Every response says what is wrong, where, and which
// value.

const crd: Given = {
  path: paths.definitions,
  body: definition({
    type: "object",
    required: ["label"],
    properties: {
      label: { type: "string" },
      size: { type: "integer", format: "int32", minimum: 0 },
      big: { type: "integer", format: "int64" },
      keep: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  }),
};

function create(name: string, body: JsonObject | string, query = ""): Exchange {
  return { name, path: `${bugs}${query}`, contentType: json, body, given: [crd] };
}

const spec = (more: JsonObject) => bug({ label: "a", ...more });
const named = (metadata: JsonObject) => bug({ label: "a" }, { metadata });
const text = (members: string) =>
  `{"apiVersion":"ex.io/v1","kind":"Bug","metadata":{"name":"a"},"spec":{"label":"a",${members}}}`;

export const badInputs: Exchange[] = [
  create("5 no kind", { apiVersion: "ex.io/v1", metadata: { name: "a" }, spec: { label: "a" } }),
  create("5 no apiVersion", { kind: "Bug", metadata: { name: "a" }, spec: { label: "a" } }),
  create("6 another kind", { ...bug({ label: "a" }), kind: "Beetle" }),
  create("6 another version", { ...bug({ label: "a" }), apiVersion: "ex.io/v2" }),
  create("6 another group", { ...bug({ label: "a" }), apiVersion: "ex.com/v1" }),
  create("7 a text for a number", spec({ size: "3" })),
  create("8 less than the minimum", spec({ size: -1 })),
  create("9 2^31 in 32 bits", spec({ size: 2 ** 31 })),
  create("9 2^31 in 64 bits", spec({ big: 2 ** 31 })),
  create("9 a number with an exponent", text('"size":1e400')),
  create("10 a fraction", spec({ size: 1.5 })),
  create("10 a whole number as a fraction", text('"size":2.0')),
  create("11 null for a required field", bug({ label: null })),
  create("11 null for an optional number", spec({ size: null })),
  create("11 a missing required field", bug({})),
  create("12 an unknown field: strict", spec({ colour: "red" }), "?fieldValidation=Strict"),
  create("12 an unknown field: warn", spec({ colour: "red" }), "?fieldValidation=Warn"),
  create("12 an unknown field: ignore", spec({ colour: "red" }), "?fieldValidation=Ignore"),
  create("12 a preserved unknown field", spec({ keep: { colour: "red" } }), "?fieldValidation=Strict"),
  create("13 a name with non-ASCII letters", named({ name: "käfer" })),
  create("13 a name with capitals", named({ name: "Bug" })),
  create("13 no name", named({})),
  create("14 a name of 254 characters", named({ name: "a".repeat(254) })),
  create("15 a label of 64 characters", named({ name: "a", labels: { app: "a".repeat(64) } })),
  create("15 a label's name of 64 characters", named({ name: "a", labels: { ["a".repeat(64)]: "a" } })),
  create("15 a label with a space", named({ name: "a", labels: { "a b": "c d" } })),
  create(
    "16 __proto__ in a preserved field",
    text('"keep":{"__proto__":{"polluted":true},"constructor":{"a":1}}'),
  ),
  create(
    "16 __proto__ as an unknown field",
    text('"__proto__":{"polluted":true}'),
    "?fieldValidation=Strict",
  ),
  create("17 more than 3 MiB", text(`"keep":{"a":"${"a".repeat(3 * 1024 * 1024)}"}`)),
  create(
    "18 annotations of more than 256 KiB",
    named({ name: "a", annotations: { a: "a".repeat(262_145) } }),
  ),
  {
    name: "19 an update of a changed object",
    method: "PUT",
    path: `${bugs}/a`,
    body: bug({ label: "b" }, { metadata: { name: "a", resourceVersion: "1" } }),
    given: [crd, { path: bugs, body: bug({ label: "a" }) }],
  },
  {
    name: "19 an update without a resourceVersion",
    method: "PUT",
    path: `${bugs}/a`,
    body: bug({ label: "b" }),
    given: [crd, { path: bugs, body: bug({ label: "a" }) }],
  },
  {
    name: "19 a patch of a changed object",
    method: "PATCH",
    path: `${bugs}/a`,
    contentType: mergePatch,
    body: { metadata: { resourceVersion: "1" }, spec: { label: "b" } },
    given: [crd, { path: bugs, body: bug({ label: "a" }) }],
  },
  {
    name: "20 a selector that may not change",
    method: "PATCH",
    path: `${paths.deployments}/a`,
    contentType: mergePatch,
    body: { spec: { selector: { matchLabels: { app: "b" } } } },
    given: [{ path: paths.deployments, body: workload() }],
  },
];
