import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import type { Exchange, Given } from "../exchange.ts";
import { bug, bugs, definition, mergePatch, paths } from "../objects.ts";

// Rules in CEL (x-kubernetes-validations). Each definition has the rules of one subject, and objects that
// satisfy or violate them.

const text: JsonObject = { type: "string", maxLength: 50 };
const integer: JsonObject = { type: "integer" };
const rule = (expression: string, more: JsonObject = {}): JsonObject => ({ rule: expression, ...more });
const object = (properties: JsonObject, rules: JsonObject[] = [], more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...(rules.length === 0 ? {} : { "x-kubernetes-validations": rules }),
  ...more,
});
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "array",
  maxItems: 10,
  items,
  ...more,
});

function subject(name: string, spec: JsonObject, version: JsonObject = {}) {
  const crd: Given = { path: paths.definitions, body: definition(spec, version) };
  return {
    create: (what: string, value: JsonValue, more: JsonObject = {}): Exchange => ({
      name: `${name}: ${what}`,
      path: bugs,
      body: bug(value, more),
      given: [crd],
    }),
    update: (what: string, before: JsonValue, after: JsonObject, more: JsonObject = {}): Exchange => ({
      name: `${name}: ${what}`,
      method: "PATCH",
      path: `${bugs}/a`,
      contentType: mergePatch,
      body: { spec: after, ...more },
      given: [crd, { path: bugs, body: bug(before) }],
    }),
  };
}

const sizes = subject(
  "sizes",
  object({ minimum: integer, replicas: integer, maximum: integer }, [
    rule("self.minimum <= self.replicas"),
    rule("self.replicas <= self.maximum", { message: " replicas may not be more than maximum " }),
    rule("!has(self.maximum) || self.maximum % 2 == 0", {
      messageExpression: "'maximum is odd, and more than ' + (self.maximum > 4 ? 'four' : 'nothing')",
      reason: "FieldValueForbidden",
      fieldPath: ".maximum",
    }),
    rule("!has(self.maximum) || self.maximum != 8", { reason: "FieldValueRequired", fieldPath: ".maximum" }),
    rule("!has(self.maximum) || self.maximum != 10", { reason: "FieldValueDuplicate" }),
    rule("!has(self.maximum) || self.maximum != 12", {
      messageExpression: "self.maximum > 11 ? '' : 'x'",
      message: "not twelve",
    }),
    rule("!has(self.maximum) || 10 / (self.maximum - 14) < 100"),
  ]),
);

const scalars = subject(
  "scalars",
  object({
    word: { ...text, "x-kubernetes-validations": [rule("self.startsWith('a')"), rule("self.size() < 4")] },
    count: { ...integer, "x-kubernetes-validations": [rule("self < 3", { message: "too many" })] },
    share: { type: "number", "x-kubernetes-validations": [rule("self < 0.5")] },
    flag: { type: "boolean", "x-kubernetes-validations": [rule("self")] },
    nul: { ...text, nullable: true, "x-kubernetes-validations": [rule("self == 'x'")] },
    either: {
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-validations": [rule("type(self) == int ? self < 5 : self == 'auto'")],
    },
    loose: { "x-kubernetes-int-or-string": true, "x-kubernetes-validations": [rule("self < 5")] },
  }),
);

const lists = subject(
  "lists",
  object(
    {
      names: list(text, { "x-kubernetes-validations": [rule("self.all(n, n != 'bad')")] }),
      set: list(text, { "x-kubernetes-list-type": "set" }),
      other: list(text, { "x-kubernetes-list-type": "set" }),
      ports: list(object({ name: text, port: integer }, [rule("self.port > 0")], { required: ["name"] }), {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      }),
      labels: {
        type: "object",
        maxProperties: 5,
        additionalProperties: { ...text, "x-kubernetes-validations": [rule("self != 'no'")] },
        "x-kubernetes-validations": [rule("self.all(k, k.size() < 4)"), rule("!('x' in self)")],
      },
    },
    [
      rule("!has(self.set) || !has(self.other) || self.set == self.other", { message: "sets differ" }),
      rule("!has(self.set) || !has(self.other) || (self.set + self.other).size() < 4"),
      rule("!has(self.ports) || (self.ports + self.ports).size() == self.ports.size()"),
      rule("!has(self.names) || self.names[1] == 'two'"),
      rule("!has(self.names) || self.names.exists_one(n, n == 'one')"),
    ],
  ),
);

const names = subject(
  "names",
  object({ namespace: text, "a-b": text, "c.d": text, "e/f": text, g__h: text, if: text, "1x": text }, [
    rule("!has(self.__namespace__) || self.__namespace__ == 'n'"),
    rule("!has(self.a__dash__b) || self.a__dash__b == 'n'"),
    rule("!has(self.c__dot__d) || self.c__dot__d == 'n'"),
    rule("!has(self.e__slash__f) || self.e__slash__f == 'n'"),
    rule("!has(self.g__underscores__h) || self.g__underscores__h == 'n'"),
    rule("!has(self.__if__) || self.__if__ == 'n'"),
  ]),
);

const transitions = subject(
  "transitions",
  object(
    {
      fixed: { ...text, "x-kubernetes-validations": [rule("self == oldSelf", { message: "is immutable" })] },
      grows: { ...integer, "x-kubernetes-validations": [rule("self >= oldSelf")] },
      once: {
        ...text,
        "x-kubernetes-validations": [
          rule("!oldSelf.hasValue() || oldSelf.value() == self", { optionalOldSelf: true }),
          rule("oldSelf.orValue('') != 'never'", { optionalOldSelf: true }),
        ],
      },
      ports: list(
        object(
          { name: text, port: { ...integer, "x-kubernetes-validations": [rule("self == oldSelf")] } },
          [],
          {
            required: ["name"],
          },
        ),
        { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
      ),
      frozen: list(object({ name: text, port: integer }, [], { required: ["name"] }), {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "x-kubernetes-validations": [rule("self == oldSelf")],
      }),
      small: { ...integer, "x-kubernetes-validations": [rule("self < 100")] },
      other: integer,
    },
    [rule("!has(oldSelf.fixed) || has(self.fixed)", { message: "fixed may not be taken away" })],
  ),
);

const formats = subject(
  "formats",
  object(
    {
      time: { ...text, format: "date-time" },
      date: { ...text, format: "date" },
      wait: { ...text, format: "duration" },
      bytes: { ...text, format: "byte" },
    },
    [
      rule("!has(self.time) || self.time > timestamp('2020-01-01T00:00:00Z')"),
      rule("!has(self.date) || self.date.getFullYear() > 2000"),
      rule("!has(self.wait) || self.wait < duration('1h')"),
      rule("!has(self.bytes) || self.bytes == b'abc'"),
    ],
  ),
);

const nested = subject(
  "nested",
  object({
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-validations": [rule("self.kind == 'Pod'"), rule("self.metadata.name.startsWith('a')")],
    },
    defaulted: object({ x: { ...integer, default: 7 } }, [rule("self.x < 7")]),
    strict: { ...text, enum: ["a", "b"], "x-kubernetes-validations": [rule("self == 'a'")] },
    steps: list(object({ n: list(integer) }, [rule("self.n.all(x, x > 0)")])),
  }),
);

const libraries = subject(
  "libraries",
  object(
    { q: text, url: text, ip: text, cidr: text, re: text, version: text, list: list(integer), name: text },
    [
      rule("!has(self.q) || quantity(self.q).isLessThan(quantity('1Gi'))"),
      rule("!has(self.q) || quantity(self.q).add(quantity('1')).isGreaterThan(quantity('1'))"),
      rule("!has(self.url) || isURL(self.url) && url(self.url).getScheme() == 'https'"),
      rule("!has(self.ip) || isIP(self.ip) && ip(self.ip).family() == 4"),
      rule("!has(self.cidr) || cidr(self.cidr).containsIP('10.0.0.1')"),
      rule("!has(self.re) || self.re.matches('^[a-z]+$') && self.re.find('[x-z]+') == ''"),
      rule("!has(self.version) || isSemver(self.version) && semver(self.version).major() == 1"),
      rule("!has(self.list) || self.list.isSorted() && self.list.sum() < 10 && self.list.max() < 5"),
      rule("!has(self.name) || !format.dns1123Label().validate(self.name).hasValue()"),
      rule("!has(self.list) || sets.contains([1, 2, 3, 4], self.list)", {
        messageExpression: "'%s is not in order'.format([self.list])",
      }),
    ],
  ),
);

const costly = subject(
  "costs",
  object(
    { a: list(integer, { maxItems: 110 }), b: list(integer, { maxItems: 110 }) },
    [rule("self.a.all(x, self.b.all(y, self.b.all(z, x != 999 || y != 999 || z != 999)))")],
    { maxProperties: 3 },
  ),
);

const resources = (() => {
  const schema = {
    type: "object",
    properties: {
      spec: object({ x: integer }),
      status: object({ y: { ...integer, "x-kubernetes-validations": [rule("self > 0")] } }),
    },
    "x-kubernetes-validations": [
      rule("self.metadata.name.startsWith('a')"),
      rule("self.kind == 'Bug' && self.apiVersion == 'ex.io/v1'"),
      rule("!has(self.spec.x) || self.spec.x < 10", { fieldPath: ".spec.x", message: "x is too great" }),
      rule("!has(self.status) || self.status.y < self.spec.x"),
    ],
  };
  return subject("resources", {}, { subresources: { status: {} }, schema: { openAPIV3Schema: schema } });
})();

const pair = [
  { name: "a", port: 1 },
  { name: "b", port: 2 },
];
const many = Array.from({ length: 110 }, (_, index) => index);

export const rules: Exchange[] = [
  sizes.create("all hold", { minimum: 1, replicas: 2, maximum: 4 }),
  sizes.create("one does not", { minimum: 3, replicas: 2, maximum: 4 }),
  sizes.create("several do not", { minimum: 3, replicas: 2, maximum: 1 }),
  sizes.create("a message of its own, an expression, a reason and a path", {
    minimum: 1,
    replicas: 2,
    maximum: 5,
  }),
  sizes.create("reason required", { minimum: 1, replicas: 2, maximum: 8 }),
  sizes.create("reason duplicate", { minimum: 1, replicas: 2, maximum: 10 }),
  sizes.create("an expression without a message", { minimum: 1, replicas: 2, maximum: 12 }),
  sizes.create("division by zero", { minimum: 1, replicas: 2, maximum: 14 }),
  sizes.create("no such key", { replicas: 2, maximum: 4 }),
  sizes.create("no such key in two rules", {}),
  sizes.create("not evaluated, because the object is invalid", { minimum: "1", replicas: 2, maximum: 4 }),
  scalars.create("text", { word: "ab" }),
  scalars.create("text that breaks one rule", { word: "bb" }),
  scalars.create("text that breaks two", { word: "bbbbb" }),
  scalars.create("number", { count: 5 }),
  scalars.create("double", { share: 0.75 }),
  scalars.create("whole double", { share: 1 }),
  scalars.create("boolean", { flag: false }),
  scalars.create("null is ignored", { nul: null }),
  scalars.create("nullable", { nul: "y" }),
  scalars.create("int or string: int", { either: 7 }),
  scalars.create("int or string: string", { either: "manual" }),
  scalars.create("int or string: of the wrong type", { loose: "a" }),
  lists.create("all hold", { names: ["one", "two"], labels: { a: "b" } }),
  lists.create("an invalid element", { names: ["one", "two", "bad"] }),
  lists.create("out of bounds", { names: ["one"] }),
  lists.create("exists_one", { names: ["one", "two", "one"] }),
  lists.create("sets in another order are equal", { set: ["a", "b"], other: ["b", "a"] }),
  lists.create("sets differ", { set: ["a", "b"], other: ["b", "c"] }),
  lists.create("sets joined", { set: ["a", "b", "c"], other: ["b", "c", "d"] }),
  lists.create("a map joined with itself", { ports: [{ name: "a", port: 1 }] }),
  lists.create("an item of a map", { ports: [{ name: "a", port: 0 }] }),
  lists.create("an item without what its rule asks for", { ports: [{ name: "a" }] }),
  lists.create("keys of a map", { labels: { long: "b", x: "y" } }),
  lists.create("values of a map", { labels: { a: "no" } }),
  names.create("escaped", { namespace: "n", "a-b": "n", "c.d": "n", "e/f": "n", g__h: "n", if: "n" }),
  names.create("escaped, and wrong", {
    namespace: "x",
    "a-b": "x",
    "c.d": "x",
    "e/f": "x",
    g__h: "x",
    if: "x",
  }),
  transitions.create("not on a create", { fixed: "a", grows: 1 }),
  transitions.update("nothing changes", { fixed: "a", grows: 1 }, { other: 1 }),
  transitions.update("immutable", { fixed: "a" }, { fixed: "b" }),
  transitions.update("added", {}, { fixed: "b" }),
  transitions.update("taken away", { fixed: "a" }, { fixed: null }),
  transitions.update("grows", { grows: 1 }, { grows: 2 }),
  transitions.update("shrinks", { grows: 2 }, { grows: 1 }),
  transitions.create("optional oldSelf on a create", { once: "a" }),
  transitions.update("optional oldSelf", { once: "a" }, { once: "b" }),
  transitions.update(
    "by keys of a list",
    {
      ports: [
        { name: "a", port: 1 },
        { name: "b", port: 2 },
      ],
    },
    {
      ports: [
        { name: "b", port: 3 },
        { name: "a", port: 1 },
        { name: "c", port: 9 },
      ],
    },
  ),
  transitions.update("a map in another order is equal", { frozen: pair }, { frozen: [...pair].reverse() }),
  transitions.update("a map with another entry", { frozen: pair }, { frozen: [{ name: "a", port: 3 }] }),
  formats.create("all hold", {
    time: "2024-02-29T12:00:00Z",
    date: "2024-02-29",
    wait: "10m",
    bytes: "YWJj",
  }),
  formats.create("none holds", {
    time: "2019-02-28T12:00:00Z",
    date: "1999-01-31",
    wait: "10h",
    bytes: "YWI=",
  }),
  nested.create("embedded", { embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "abc" } } }),
  nested.create("embedded, and wrong", {
    embedded: { apiVersion: "v1", kind: "Node", metadata: { name: "b" } },
  }),
  nested.create("defaults are there before", { defaulted: {} }),
  nested.create("an enum first", { strict: "c" }),
  nested.create("an enum, and a rule", { strict: "b" }),
  nested.create("deep", { steps: [{ n: [1] }, { n: [1, 0] }, { n: [2] }] }),
  libraries.create("quantity", { q: "2Gi" }),
  libraries.create("invalid quantity", { q: "two" }),
  libraries.create("valid quantity", { q: "500Mi" }),
  libraries.create("url", { url: "http://example.com/a" }),
  libraries.create("valid url", { url: "https://example.com:8443/a?b=c" }),
  libraries.create("ip", { ip: "::1" }),
  libraries.create("valid ip", { ip: "127.0.0.1" }),
  libraries.create("cidr", { cidr: "192.168.0.0/16" }),
  libraries.create("invalid cidr", { cidr: "192.168.0.0" }),
  libraries.create("valid cidr", { cidr: "10.0.0.0/8" }),
  libraries.create("regular expression", { re: "abcxyz" }),
  libraries.create("semver", { version: "2.0.0" }),
  libraries.create("valid semver", { version: "1.2.3-rc.1" }),
  libraries.create("lists", { list: [3, 2, 1] }),
  libraries.create("valid lists", { list: [1, 2, 4] }),
  libraries.create("sets and format", { list: [1, 2, 7] }),
  libraries.create("formats by name", { name: "Not a Label" }),
  libraries.create("valid formats by name", { name: "a-label" }),
  costly.create("small", { a: [1, 2, 3], b: [1, 2, 3] }),
  costly.create("more than the limit of a call", { a: many, b: many }),
  resources.create("all hold", { x: 1 }),
  resources.create("the name", { x: 1 }, { metadata: { name: "b" } }),
  resources.create("a path from the root", { x: 11 }),
  { ...resources.create("status is not there yet", { x: 1 }, { status: { y: -1 } }) },
  {
    ...resources.update("status", { x: 5 }, {}, { status: { y: 7 } }),
    name: "resources: status subresource",
    path: `${bugs}/a/status`,
  },
  {
    ...resources.update("status", { x: 5 }, {}, { status: { y: -7 } }),
    name: "resources: status subresource, a rule of its own",
    path: `${bugs}/a/status`,
  },
];
