import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import { definition, paths } from "../objects.ts";

// Definitions with CEL rules that are invalid, or not allowed in their place.

const text: JsonObject = { type: "string", maxLength: 10 };
const integer: JsonObject = { type: "integer" };

function define(name: string, spec: JsonObject, version: JsonObject = {}): Exchange {
  return { name, path: paths.definitions, body: definition(spec, version) };
}

/** Returns a rule on an object with fields of many types. */
function rule(name: string, expression: string, more: JsonObject = {}): Exchange {
  const spec: JsonObject = {
    type: "object",
    properties: {
      s: text,
      i: integer,
      d: { type: "number" },
      b: { type: "boolean" },
      l: { type: "array", maxItems: 5, items: integer },
      o: { type: "object", properties: { x: integer } },
      m: { type: "object", maxProperties: 5, additionalProperties: text },
      either: { "x-kubernetes-int-or-string": true, maxLength: 10 },
      any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      untyped: { "x-kubernetes-preserve-unknown-fields": true },
      time: { ...text, format: "date-time" },
      "a-b": text,
      namespace: text,
    },
    "x-kubernetes-validations": [{ rule: expression, ...more }],
  };
  return define(`rule: ${name}`, spec);
}

const unbounded: JsonObject = { type: "array", items: { type: "string" } };

export const ruleDefinitions: Exchange[] = [
  rule("good", "self.i > 1"),
  rule("empty", " "),
  rule("no operand", "self.i >"),
  rule("not closed", "(self.i > 1"),
  rule("unknown character", "self.i > 1 @"),
  rule("two expressions", "self.i self.s"),
  rule("undefined field", "self.x > 1"),
  rule("undefined variable", "other.x > 1"),
  rule("undefined function", "self.s.shorten() == 'a'"),
  rule("not a boolean", "self.i"),
  rule("not a boolean, but of any type", "self.either"),
  rule("types do not match", "self.i == self.s"),
  rule("int and double", "self.i + self.d > 1.0"),
  rule("int is compared with double", "self.i < self.d"),
  rule("field of a text", "self.s.x == 'a'"),
  rule("field of an object in an object", "self.o.y == 1"),
  rule("invalid range", "self.i.all(x, x > 1)"),
  rule("invalid predicate", "self.l.all(x, x)"),
  rule("macro without a name", "self.l.all(1, true)"),
  rule("has of no field", "has(self)"),
  rule("message literal", "Foo{a: 1}.a == 1"),
  rule("reserved word", "self.namespace == 'a'"),
  rule("reserved word, escaped", "self.__namespace__ == 'a' && self.a__dash__b == 'a'"),
  rule("unknown fields", "self.any.x == 1"),
  rule("field without a type", "self.untyped == 1"),
  rule("index of a map", "self.m['a'] == 'b' && self.m.a == 'b'"),
  rule("index of a wrong type", "self.m[1] == 'b'"),
  rule("elements that differ", "self.i in [1, 'a']"),
  rule("bad pattern", "self.s.matches('[')"),
  rule("bad duration", "self.time - self.time > duration('x')"),
  rule("bad timestamp", "self.time > timestamp('x')"),
  rule("two errors", "self.x > 1 && self.y > 2"),
  rule("over lines", "self.i > 1 &&\n  self.x > 2", { message: "a message" }),
  rule("over lines, without a message", "self.i > 1 &&\n  self.i > 2"),
  rule("empty message", "self.i > 1", { message: " " }),
  rule("message over lines", "self.i > 1", { message: "a\nb" }),
  rule("invalid message expression", "self.i > 1", { messageExpression: "self.x" }),
  rule("message expression that is not a string", "self.i > 1", { messageExpression: "self.i" }),
  rule("empty message expression", "self.i > 1", { messageExpression: " " }),
  rule("unknown reason", "self.i > 1", { reason: "Other" }),
  rule("path", "self.i > 1", { fieldPath: ".o.x" }),
  rule("path of a map", "self.i > 1", { fieldPath: ".m['a']" }),
  rule("invalid path", "self.i > 1", { fieldPath: "o.x" }),
  rule("path to nothing", "self.i > 1", { fieldPath: ".o.y" }),
  rule("optional oldSelf", "oldSelf.hasValue() && self.i > 1", { optionalOldSelf: true }),
  rule("optional oldSelf that is not used", "self.i > 1", { optionalOldSelf: true }),
  rule("optional oldSelf compared with self", "oldSelf == self", { optionalOldSelf: true }),
  rule("libraries", "quantity('1').isLessThan(quantity('2')) && isURL(self.s) && ip.isCanonical('::1')"),
  rule("a library's type", "quantity('1') == 1"),
  rule("optional fields", "self.?o.x.orValue(1) == 1 && self.?s.hasValue()"),
  rule("two variables", "self.m.all(k, v, k != v) && self.l.transformList(i, v, i + v).size() > 0"),
  rule("cel.bind is missing", "cel.bind(x, self.i, x > 1)"),
  define("list: oldSelf in items", {
    type: "object",
    properties: {
      l: {
        type: "array",
        maxItems: 5,
        items: { ...integer, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
      },
    },
  }),
  define("list: oldSelf below items", {
    type: "object",
    properties: {
      l: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "set",
        items: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          properties: { x: { ...integer, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
        },
      },
    },
  }),
  define("list: rule on the list", {
    type: "object",
    properties: {
      l: { type: "array", items: integer, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
  }),
  define("junctor: rule in anyOf", {
    type: "object",
    properties: { x: integer },
    anyOf: [{ properties: { x: { "x-kubernetes-validations": [{ rule: "self > 1" }] } } }],
  }),
  define("junctor: rule in allOf", {
    type: "object",
    properties: { x: integer },
    allOf: [{ properties: { x: { "x-kubernetes-validations": [{ rule: "self > y" }] } } }],
  }),
  define("rule on a field without type", {
    type: "object",
    properties: {
      x: { "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{ rule: "true" }] },
    },
  }),
  define("schema: nested without type", { type: "object", properties: { a: { properties: { b: text } } } }),
  define("schema: items without type", {
    type: "object",
    properties: { a: { type: "array", items: { properties: { b: text } } } },
  }),
  define("schema: additionalProperties without type", {
    type: "object",
    properties: { a: { type: "object", additionalProperties: { properties: { b: text } } } },
  }),
  define("schema: empty", { type: "object", properties: { a: {} } }),
  define("schema: enum only", { type: "object", properties: { a: { enum: ["a"] } } }),
  define("schema: wrong rule and no type", {
    type: "object",
    properties: { a: {} },
    "x-kubernetes-validations": [{ rule: "self.b" }],
  }),
  define("cost: list of texts without bounds", {
    type: "object",
    properties: { l: unbounded },
    "x-kubernetes-validations": [{ rule: "self.l.all(x, self.l.all(y, x != y))" }],
  }),
  define("cost: a rule for each of many", {
    type: "object",
    properties: {
      l: {
        type: "array",
        items: {
          type: "object",
          properties: { s: { type: "string" } },
          "x-kubernetes-validations": [{ rule: "self.s.matches('^[a-z]+$')" }],
        },
      },
    },
  }),
  define("cost: one loop over a list without bounds", {
    type: "object",
    properties: { l: { type: "array", items: integer } },
    "x-kubernetes-validations": [{ rule: "self.l.all(x, x > 1)" }],
  }),
  define("cost: text without bounds is searched", {
    type: "object",
    properties: { s: { type: "string" } },
    "x-kubernetes-validations": [{ rule: "self.s.contains('abc')" }],
  }),
  define("cost: lists in lists with bounds", {
    type: "object",
    properties: {
      l: {
        type: "array",
        maxItems: 10,
        items: { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 } },
      },
    },
    "x-kubernetes-validations": [{ rule: "self.l.all(x, x.all(y, y.startsWith('a')))" }],
  }),
  define("cost: message expression", {
    type: "object",
    properties: { l: unbounded },
    "x-kubernetes-validations": [
      { rule: "self.l.size() < 3", messageExpression: "self.l.map(x, self.l.join(x)).join(',')" },
    ],
  }),
];
