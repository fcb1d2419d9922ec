import * as fc from "fast-check";
import type { JsonMap, Script, Step } from "../script.ts";
import { apply, bug, bugs, defined, get, merge, objectSchema, paths, setup } from "./make.ts";

// Unusual sequences of applies by several managers. They are the same in every run.

const seed = 36;
const manager = fc.constantFrom("one", "two", "three");
const force = fc.constantFrom("", "", "&force=true");
const small = { maxKeys: 3 };
const word = fc.constantFrom("a", "b", "c");

/** An object with some of the members. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonMap> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonMap>;
const dictionary = fc.dictionary(word, word, small) as fc.Arbitrary<JsonMap>;
/** A list of items with different values of `key`. */
const listOf = (item: fc.Arbitrary<JsonMap>, key: string): fc.Arbitrary<JsonMap[]> =>
  fc.uniqueArray(item, { selector: (value) => value[key], maxLength: 3 });

/** Not empty: a real server keeps an empty map of labels of a custom resource until the next write. */
const filled = fc.dictionary(word, word, { ...small, minKeys: 1 }) as fc.Arbitrary<JsonMap>;
const labels = some({ labels: filled, annotations: filled });

const env = fc.record({ name: word, value: word }) as fc.Arbitrary<JsonMap>;
const port = fc
  .record({ containerPort: fc.constantFrom(80, 81), name: fc.constantFrom("p", "q", "r") })
  .map((value): JsonMap => ({ ...value }));
const containerOf = some({
  image: fc.constantFrom("i:1", "i:2"),
  args: fc.array(word, { maxLength: 2 }),
  env: listOf(env, "name"),
  ports: listOf(port, "containerPort").map((ports) => [...new Map(ports.map((p) => [p.name, p])).values()]),
});
const containers = fc
  .uniqueArray(fc.tuple(fc.constantFrom("main", "side"), containerOf), {
    selector: ([name]) => name,
    maxLength: 2,
  })
  // Ports of one container only: a real server warns if two containers share a port.
  .map((list) =>
    list.map(([name, rest]): JsonMap => ({ name, ...rest, ...(name === "side" ? { ports: [] } : {}) })),
  );

/** A kind of object, its possible configurations, and its first version. */
interface Subject {
  readonly name: string;
  readonly path: string;
  readonly begin: readonly Step[];
  readonly head: JsonMap;
  readonly content: fc.Arbitrary<JsonMap>;
}

const web = { app: "web" };
const deploymentHead: JsonMap = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } };
const whole: JsonMap = {
  ...deploymentHead,
  spec: {
    selector: { matchLabels: web },
    template: { metadata: { labels: web }, spec: { containers: [{ name: "main", image: "i:1" }] } },
  },
};
const serviceHead: JsonMap = { apiVersion: "v1", kind: "Service", metadata: { name: "a" } };
const text = { type: "string" };
const schema = objectSchema({
  type: "object",
  properties: {
    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: {
        type: "object",
        required: ["k"],
        properties: { k: { ...text, default: "a" }, v: text, w: text },
      },
    },
    map: { type: "object", additionalProperties: text },
    one: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
    list: { type: "array", items: text },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    size: { type: "integer", default: 3 },
  },
});

const subjects: readonly Subject[] = [
  {
    name: "ConfigMap",
    path: `${paths.configMaps}/a`,
    begin: [],
    head: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
    content: some({ data: dictionary, metadata: labels }),
  },
  {
    name: "Deployment",
    path: `${paths.deployments}/a`,
    begin: [setup(apply(`${paths.deployments}/a`, "zero", whole))],
    head: deploymentHead,
    content: some({
      metadata: labels,
      spec: some({
        replicas: fc.constantFrom(1, 2, 3),
        paused: fc.boolean(),
        template: fc.record({ spec: some({ containers, nodeSelector: dictionary }) }),
      }),
    }),
  },
  {
    name: "Service",
    path: `${paths.services}/a`,
    begin: [
      setup(
        apply(`${paths.services}/a`, "zero", {
          ...serviceHead,
          spec: { ports: [{ port: 1, name: "zero" }] },
        }),
      ),
    ],
    head: serviceHead,
    content: some({
      metadata: labels,
      spec: some({
        selector: dictionary,
        sessionAffinity: fc.constantFrom("None", "ClientIP"),
        ports: listOf(
          fc.record({ port: fc.constantFrom(80, 81), name: word }) as fc.Arbitrary<JsonMap>,
          "port",
        ).map((ports) => [...new Map(ports.map((p) => [p.name, p])).values()]),
      }),
    }),
  },
  {
    name: "custom resource",
    path: `${bugs}/a`,
    begin: defined(schema),
    head: bug(),
    content: some({
      metadata: labels,
      spec: some({
        tags: fc.uniqueArray(word, { maxLength: 3 }),
        items: listOf(fc.record({ k: word, v: word }) as fc.Arbitrary<JsonMap>, "k"),
        map: dictionary,
        one: dictionary,
        list: fc.array(word, { maxLength: 2 }),
        free: some({ a: dictionary, b: fc.array(word, { maxLength: 2 }) }),
        size: fc.constantFrom(1, 2),
      }),
    }),
  },
];

function stepOf({ path, head, content }: Subject): fc.Arbitrary<Step> {
  const stated = content.map((value): JsonMap => {
    return { ...head, ...value, metadata: { ...(head.metadata as JsonMap), ...(value.metadata as JsonMap) } };
  });
  const applied = fc
    .tuple(manager, stated, force)
    .map(([who, body, how]): Step => apply(path, who, body, how));
  const updated = fc
    .tuple(manager, content)
    .map(([who, body]): Step => merge(`${path}?fieldManager=u-${who}`, body));
  return fc.oneof({ arbitrary: applied, weight: 4 }, { arbitrary: updated, weight: 1 });
}

const sequence = (subject: Subject): fc.Arbitrary<Step[]> =>
  fc.array(stepOf(subject), { minLength: 5, maxLength: 9 });

/** @param runs the number of sequences for each kind of object */
export function applySequences(runs: number, from = seed): Script[] {
  return subjects.flatMap((subject) =>
    fc.sample(sequence(subject), { seed: from, numRuns: runs }).map(
      (steps, index): Script => ({
        name: `applies to a ${subject.name}, ${index + 1}`,
        area: "generated",
        steps: [...subject.begin, ...steps, get(subject.path)],
      }),
    ),
  );
}

/** The scripts of the proof. */
export const generatedApplies: readonly Script[] = applySequences(6);
