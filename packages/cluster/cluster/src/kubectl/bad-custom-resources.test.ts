// Bad custom resources, with the numbers of docs/bad-input.md. kubectl prints the same on an embedded cluster
// and on a real kube-apiserver, if this machine has one.
import { findControlPlane } from "@operator-path/tools";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startEnvtestCluster } from "../envtest/start.ts";
import { embedded, type KubectlBench, type StartCluster, startKubectlBench } from "../testing/kubectl.ts";

/** As controller-gen generates it from tutorial 02's types. */
const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: memcacheds.cache.example.com}
spec:
  group: cache.example.com
  scope: Namespaced
  names: {plural: memcacheds, singular: memcached, kind: Memcached, listKind: MemcachedList}
  versions:
    - name: v1alpha1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: {type: string}
            kind: {type: string}
            metadata: {type: object}
            spec:
              type: object
              required: [size]
              properties: {size: {type: integer, format: int32, minimum: 0}}
            status: {type: object, required: [nodes], properties: {nodes: {type: array, items: {type: string}}}}
`;
const head = "apiVersion: cache.example.com/v1alpha1\nkind: Memcached\n";
const memcached = (spec: string, metadata = "name: a"): string =>
  `${head}metadata: {${metadata}}\nspec: ${spec}\n`;
const bomb = ["x", ..."abcdef"]
  .map((name, index, all) => [name, all[index - 1]])
  .slice(1)
  .map(([name, inner], index) => `${name}: &${name} [${`${index === 0 ? "" : "*"}${inner},`.repeat(9)}]\n`)
  .join("");
const invalid = 'The Memcached "a" is invalid:';
const notSet = (what: string): string =>
  `error: error validating "STDIN": error validating data: ${what} not set; if you choose to ignore these errors, turn validation off with --validate=false`;
const noMatch = (kind: string, version: string): string =>
  `error: resource mapping not found for name: "a" namespace: "" from "STDIN": no matches for kind "${kind}" in version "${version}"\nensure CRDs are installed first`;
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const strict =
  'Error from server (BadRequest): error when creating "STDIN": Memcached in version "v1alpha1" cannot be handled as a Memcached: strict decoding error: unknown field';
const noInt32 =
  '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.size';
const noInteger = (given: string): string =>
  `spec.size: Invalid value: "${given}": spec.size in body must be of type int32: "${given}"`;

/** Rejected by `kubectl create -f -`. */
const refusals: readonly (readonly [name: string, yaml: string, message: string])[] = [
  [
    "1 malformed YAML",
    `${head}metadata:\n  name: a\n spec: {size: 1}\n`,
    "error: error parsing STDIN: error converting YAML to JSON: yaml: line 4: did not find expected key",
  ],
  [
    "1 a tab",
    `${head}metadata:\n\tname: a\n`,
    "error: error parsing STDIN: error converting YAML to JSON: yaml: line 4: found character that cannot start any token",
  ],
  [
    "3 an alias bomb",
    `${memcached("{size: 1}")}${bomb}`,
    "error: error parsing STDIN: error converting YAML to JSON: yaml: document contains excessive aliasing",
  ],
  ["4 no document", "", "error: no objects passed to create"],
  ["4 empty documents", "---\n---\n# nothing\n", "error: no objects passed to create"],
  ["5 no kind", memcached("{size: 1}").replace("kind: Memcached\n", ""), notSet("kind")],
  ["5 no apiVersion", memcached("{size: 1}").replace(/^.*\n/, ""), notSet("apiVersion")],
  [
    "6 an unknown kind",
    memcached("{size: 1}").replace("kind: Memcached", "kind: Memcache"),
    noMatch("Memcache", "cache.example.com/v1alpha1"),
  ],
  [
    "6 an unserved version",
    memcached("{size: 1}").replace("v1alpha1", "v1"),
    noMatch("Memcached", "cache.example.com/v1"),
  ],
  [
    "7 a string for a number",
    memcached('{size: "3"}'),
    `${invalid} spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`,
  ],
  [
    "8 a number below the minimum",
    memcached("{size: -1}"),
    `${invalid} spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
  ],
  ["9 2³¹", memcached("{size: 2147483648}"), `${invalid} ${noInt32}`],
  ["9 2⁶³", memcached("{size: 9223372036854775808}"), `${invalid} \n* ${noInteger("float64")}\n* ${noInt32}`],
  ["10 a fraction", memcached("{size: 1.5}"), `${invalid} \n* ${noInteger("float64")}\n* ${noInt32}`],
  ["11 null", memcached("{size: null}"), `${invalid} spec.size: Required value`],
  ["11 an empty spec", memcached("{}"), `${invalid} spec.size: Required value`],
  [
    "11 a list for spec",
    memcached("[]"),
    `${invalid} spec: Invalid value: "array": spec in body must be of type object: "array"`,
  ],
  ["12 an unknown field", memcached("{size: 1, foo: bar}"), `${strict} "spec.foo"`],
  [
    "12 an unknown field of metadata",
    memcached("{size: 1}", "name: a, colour: red"),
    `${strict} "metadata.colour"`,
  ],
  [
    "13 a name in Unicode",
    memcached("{size: 1}", "name: grün"),
    `The Memcached "grün" is invalid: metadata.name: Invalid value: "grün": ${subdomain}`,
  ],
  [
    "14 a name of 254 characters",
    memcached("{size: 1}", `name: ${"a".repeat(254)}`),
    `The Memcached "${"a".repeat(254)}" is invalid: metadata.name: Invalid value: "${"a".repeat(254)}": must be no more than 253 characters`,
  ],
  [
    "15 a label of 64 characters",
    memcached("{size: 1}", `name: a, labels: {a: ${"b".repeat(64)}}`),
    `${invalid} metadata.labels: Invalid value: "${"b".repeat(64)}": must be no more than 63 bytes`,
  ],
  ["16 __proto__", memcached("{size: 1, __proto__: {admin: true}}"), `${strict} "spec.__proto__"`],
  [
    "17 more than 3 MiB",
    memcached("{size: 1}", `name: a, annotations: {a: ${"b".repeat(3_300_000)}}`),
    'Error from server (RequestEntityTooLarge): error when creating "STDIN": Request entity too large: limit is 3145728',
  ],
  [
    "18 annotations of more than 256 KiB",
    memcached("{size: 1}", `name: a, annotations: {a: ${"b".repeat(262_145)}}`),
    `${invalid} metadata.annotations: Too long: may not be more than 262144 bytes`,
  ],
];

const envtest: StartCluster = (directory) => startEnvtestCluster({ directory });

// A real server runs with the slow tests.
const servers = process.env.SLOW ? ([["envtest", envtest]] as const) : ([["embedded", embedded]] as const);

describe.each<readonly ["envtest" | "embedded", StartCluster]>(servers)("%s", async (name, start) => {
  const skipped =
    name === "envtest" &&
    (await findControlPlane({ controllerManager: true, mayBuild: false }).then(
      () => false,
      () => true,
    ));
  let bench: KubectlBench;
  beforeAll(async () => {
    if (skipped) return;
    bench = await startKubectlBench(start);
    await bench.ok("apply -f -", crd);
    await bench.ok("wait --for=condition=Established crd/memcacheds.cache.example.com");
    // Discovery shows a kind shortly after its CRD was created.
    await vi.waitFor(() => bench.ok("get memcacheds"));
  });
  afterAll(() => bench?.stop());

  test.skipIf(skipped).each(refusals)(
    "rejected in a real server's words: %s",
    async (_name, yaml, message) => {
      expect(await bench.refused("create -f -", yaml)).toBe(message);
    },
  );

  test.skipIf(skipped)("rejected objects do not exist", async () => {
    expect(await bench.ok("get memcacheds --all-namespaces -o name")).toBe("");
  });

  test.skipIf(skipped)("2 a duplicate key: the last one counts, as kubectl reads it", async () => {
    const twice = memcached("{size: 1, size: 2}", "name: twice");
    expect(await bench.ok("apply -f -", twice)).toContain("twice created");
    expect(await bench.ok("get memcached twice -o jsonpath={.spec}")).toBe('{"size":2}');
    await bench.ok("delete memcached twice");
  });

  test.skipIf(skipped)("4 empty documents among others are skipped", async () => {
    await bench.ok("apply -f -", `---\n# nothing\n---\n${memcached("{size: 1}", "name: four")}---\n`);
    expect(await bench.ok("get memcacheds -o name")).toBe("memcached.cache.example.com/four\n");
    await bench.ok("delete memcached four");
  });

  test.skipIf(skipped)("12, 16 unknown fields cause a warning or are dropped, on request", async () => {
    const input = memcached("{size: 1, foo: bar, __proto__: {admin: true}, constructor: 1}", "name: twelve");
    expect(await bench.run("apply --validate=warn -f -", { input })).toEqual({
      code: 0,
      stdout: "memcached.cache.example.com/twelve created\n",
      stderr:
        'Warning: unknown field "spec.__proto__"\nWarning: unknown field "spec.constructor"\nWarning: unknown field "spec.foo"\n',
    });
    expect(await bench.run("apply --validate=ignore -f -", { input })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await bench.ok("get memcached twelve -o jsonpath={.spec}")).toBe('{"size":1}');
    await bench.ok("delete memcached twelve");
  });

  test.skipIf(skipped)("19 an old resourceVersion, and a patch that does not apply", async () => {
    await bench.ok("create -f -", memcached("{size: 1}", "name: old"));
    const stale = memcached("{size: 2}", 'name: old, resourceVersion: "1"');
    expect(await bench.refused("replace -f -", stale)).toBe(
      'Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on memcacheds.cache.example.com "old": the object has been modified; please apply your changes to the latest version and try again',
    );
    const patch = (type: string, text: string): Promise<string> =>
      bench.refused(`patch memcached old --type ${type} -p '${text}'`);
    expect(await patch("json", '[{"op":"replace","path":"/spec/size","value":"x"}]')).toBe(
      'The Memcached "old" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    );
    expect(await patch("merge", '{"spec":{"size":null}}')).toBe(
      'The Memcached "old" is invalid: spec.size: Required value',
    );
    expect(await patch("strategic", '{"spec":{"size":3}}')).toContain(
      "application/strategic-merge-patch+json is not supported by cache.example.com/v1alpha1, Kind=Memcached",
    );
    expect(await bench.ok("get memcached old -o jsonpath={.spec}")).toBe('{"size":1}');
    await bench.ok("delete memcached old");
  });

  // A real garbage collector notices a new kind half a minute later.
  test.skipIf(name === "envtest")(
    "21 an owner of this name with another UID: the garbage collector deletes the dependent",
    async () => {
      await bench.ok("create -f -", memcached("{size: 1}", "name: owner"));
      const reference = `{apiVersion: cache.example.com/v1alpha1, kind: Memcached, name: owner, uid: 00000000-0000-0000-0000-000000000000}`;
      const owned = memcached("{size: 1}", `name: owned, ownerReferences: [${reference}]`);
      await bench.ok("create -f -", owned);
      await expect.poll(() => bench.ok("get memcacheds -o name")).toBe("memcached.cache.example.com/owner\n");
      await bench.ok("delete memcached owner");
    },
  );

  test.skipIf(skipped)("no request was answered by a failure of the server", () => {
    expect(bench.failures).toEqual([]);
  });
});
