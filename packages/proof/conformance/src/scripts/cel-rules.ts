import type { JsonMap, Script } from "../script.ts";
import {
  bug,
  bugs,
  customResourceScript,
  defined,
  integer,
  jsonPatch,
  make,
  merge,
  paths,
  post,
  rule,
  rules,
  setup,
  spec,
  string,
} from "./make.ts";

/** Returns a script with a schema whose spec has these properties and rules, then valid and invalid values. */
const cel = (name: string, properties: JsonMap, list: JsonMap[], ...values: JsonMap[]): Script =>
  customResourceScript(
    `CEL: ${name}`,
    ...defined(spec(properties, rules(...list))),
    ...values.map((value, index) => make(value, `n${index}`)),
  );

/** CEL rules: valid values, invalid ones, and their messages. */
export const celRules: readonly Script[] = [
  cel(
    "comparisons",
    { min: integer, max: integer },
    [rule("self.min <= self.max", { message: "min must not be above max" })],
    { min: 1, max: 2 },
    { min: 3, max: 2 },
    {},
    { min: 1 },
  ),
  cel("without a message", { min: integer }, [rule("self.min > 5")], { min: 1 }, { min: 6 }),
  cel(
    "messageExpression, reason, fieldPath",
    { size: integer, name: string },
    [
      rule("self.size < 5", {
        messageExpression: "'size is ' + string(self.size)",
        reason: "FieldValueForbidden",
        fieldPath: ".size",
      }),
      rule("self.name.startsWith('a')", { message: "no a", fieldPath: ".name" }),
    ],
    { size: 7, name: "a" },
    { size: 1, name: "b" },
    { size: 9, name: "b" },
  ),
  cel(
    "has and optional",
    { size: integer, colour: string },
    [rule("!has(self.colour) || self.colour in ['red', 'blue']"), rule("self.?size.orValue(1) > 0")],
    {},
    { colour: "red" },
    { colour: "green" },
    { size: -1 },
  ),
  cel(
    "lists",
    { names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } } },
    [
      rule("self.names.all(n, n.matches('^[a-z]+$'))"),
      rule("self.names.exists_one(n, n == 'main')", { message: "exactly one main" }),
      rule("size(self.names) < 4"),
    ],
    { names: ["main", "a"] },
    { names: ["A", "main"] },
    { names: ["main", "main"] },
    { names: ["main", "b", "c", "d"] },
  ),
  cel(
    "maps and sets",
    {
      labels: { type: "object", maxProperties: 5, additionalProperties: { type: "string", maxLength: 20 } },
      ports: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", maxLength: 10 }, port: integer },
        },
      },
    },
    [
      rule("self.labels.all(k, k != 'forbidden')"),
      rule("self.ports.exists(p, p.name == 'http' && p.port > 1024)"),
    ],
    { labels: { a: "b" }, ports: [{ name: "http", port: 8080 }] },
    { labels: { forbidden: "x" }, ports: [{ name: "http", port: 80 }] },
  ),
  cel(
    "Kubernetes types",
    {
      cpu: { type: "string", maxLength: 20 },
      url: { type: "string", maxLength: 100 },
      ip: { type: "string", maxLength: 50 },
      any: { "x-kubernetes-int-or-string": true },
    },
    [
      rule("!has(self.cpu) || quantity(self.cpu).isGreaterThan(quantity('100m'))"),
      rule("!has(self.url) || url(self.url).getScheme() == 'https'"),
      rule("!has(self.ip) || isIP(self.ip)"),
      rule("!has(self.any) || type(self.any) == int || self.any == '80%'"),
    ],
    { cpu: "1" },
    { cpu: "50m" },
    { url: "http://a" },
    { url: "https://a/b" },
    { ip: "1.2.3.4" },
    { ip: "x" },
    { any: 5 },
    { any: "80%" },
    { any: "70%" },
  ),
  cel(
    "errors while evaluating",
    { list: { type: "array", maxItems: 3, items: integer }, d: integer },
    [rule("self.list[1] > 0"), rule("10 / self.d > 1")],
    { list: [1], d: 0 },
    { list: [1, 2], d: 1 },
  ),
  customResourceScript(
    "CEL: transitions",
    ...defined(
      spec(
        { fixed: integer, up: integer },
        rules(
          rule("self.fixed == oldSelf.fixed", { message: "fixed may not change" }),
          rule("self.up >= oldSelf.up"),
        ),
      ),
    ),
    make({ fixed: 1, up: 1 }),
    merge(`${bugs}/a`, { spec: { up: 2 } }),
    merge(`${bugs}/a`, { spec: { fixed: 2 } }),
    merge(`${bugs}/a`, { spec: { up: 1 } }),
  ),
  customResourceScript(
    "CEL: optionalOldSelf",
    ...defined(
      spec({
        size: {
          type: "integer",
          ...rules(
            rule("!oldSelf.hasValue() || self > oldSelf.value()", {
              optionalOldSelf: true,
              message: "must grow",
            }),
          ),
        },
      }),
    ),
    make({ size: 1 }),
    merge(`${bugs}/a`, { spec: { size: 1 } }),
    merge(`${bugs}/a`, { metadata: { labels: { a: "b" } } }),
    merge(`${bugs}/a`, { spec: { size: 2 } }),
    merge(`${bugs}/a`, { spec: { size: 1 } }),
  ),
  customResourceScript(
    "CEL: ratcheting",
    ...defined(spec({ size: integer, name: string })),
    make({ size: 9, name: "a" }),
    setup(
      jsonPatch(`${paths.definitions}/bugs.{{ns}}.example.io`, [
        {
          op: "add",
          path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum",
          value: 5,
        },
      ]),
    ),
    setup(post(`${bugs}?dryRun=All`, bug("probe", { spec: { size: 9 } }), { until: 422 })),
    merge(`${bugs}/a`, { spec: { name: "b" } }),
    merge(`${bugs}/a`, { spec: { size: 8 } }),
    merge(`${bugs}/a`, { spec: { size: 3 } }),
  ),
  customResourceScript(
    "CEL: at the root, with metadata",
    ...defined({
      type: "object",
      properties: { spec: { type: "object", properties: { x: integer } } },
      ...rules(rule("self.metadata.name.startsWith('a')", { message: "names begin with a" })),
    }),
    make({ x: 1 }, "abc"),
    make({ x: 1 }, "bcd"),
  ),
];
