// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts with environment variables
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { smallChart, temporaryFolder, writeFiles } from "../chart/testing/temporary-chart.ts";
import { type LoadWatchesOptions, loadWatches } from "./load-watches.ts";
import { type Watch, WatchesError } from "./watch.ts";

/** Loads a watches.yaml next to a chart in helm-charts/small. PATH in messages stands for their folder. */
async function load(text: string, options: LoadWatchesOptions = {}): Promise<Watch[] | string> {
  await using folder = await temporaryFolder();
  const project = join(folder.path, "project");
  await writeFiles(join(project, "helm-charts/small"), smallChart);
  await writeFiles(join(folder.path, "outside"), smallChart);
  await symlink("../../outside", join(project, "helm-charts/link"));
  await writeFiles(project, { "watches.yaml": text });
  try {
    const watches = await loadWatches(join(project, "watches.yaml"), { environment: {}, ...options });
    return watches.map((watch) => ({ ...watch, chart: watch.chart.replace(project, "PATH") }));
  } catch (error) {
    expect(error).toBeInstanceOf(WatchesError);
    return (error as WatchesError).message.replaceAll(project, "PATH").replaceAll(folder.path, "ABOVE");
  }
}

const entry = "- version: v1alpha1\n  kind: Memcached\n  chart: helm-charts/small\n";

describe("loadWatches", () => {
  it("reads every field", async () => {
    const watches = await load(
      `---
# Use the 'create api' subcommand to add watches to this file.
- group: cache.example.com
  version: v1alpha1
  kind: Memcached
  chart: helm-charts/small
  watchDependentResources: false
  overrideValues:
    image.repository: $REGISTRY/memcached
    image.tag: "\${TAG}"
    replicaCount: 3
    metrics.enabled: true
    secret: $UNSET
  reconcilePeriod: 1h1m1.5s
  maxConcurrentReconciles: 4
  selector:
    matchLabels: {tier: web}
    matchExpressions:
      - {key: env, operator: In, values: [a, b]}
      - {key: old, operator: DoesNotExist}
- version: v1
  kind: Pod
  chart: ./helm-charts/../helm-charts/small/
#+kubebuilder:scaffold:watch
`,
      { environment: { REGISTRY: "registry.example.com", TAG: "1.6" } },
    );
    expect(watches).toEqual([
      {
        group: "cache.example.com",
        version: "v1alpha1",
        kind: "Memcached",
        chart: "PATH/helm-charts/small",
        watchDependentResources: false,
        overrideValues: {
          "image.repository": "registry.example.com/memcached",
          "image.tag": "1.6",
          replicaCount: "3",
          "metrics.enabled": "true",
          secret: "",
        },
        reconcilePeriod: 3_661_500,
        maxConcurrentReconciles: 4,
        selector: {
          matchLabels: { tier: "web" },
          matchExpressions: [
            { key: "env", operator: "In", values: ["a", "b"] },
            { key: "old", operator: "DoesNotExist" },
          ],
        },
      },
      {
        group: "",
        version: "v1",
        kind: "Pod",
        chart: "PATH/helm-charts/small",
        watchDependentResources: true,
        overrideValues: {},
      },
    ]);
  });

  it.each(["", "# nothing yet\n", "[]\n", "---\n"])("reads %j as no watches", async (text) => {
    expect(await load(text)).toEqual([]);
  });

  it("treats an empty field as missing", async () => {
    const text = `${entry}  group:\n  overrideValues:\n  reconcilePeriod:\n  selector: {}\n  watchDependentResources: ~\n`;
    expect(await load(text)).toEqual(await load(entry));
  });

  it("takes charts from another root", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(join(folder.path, "small"), smallChart);
    const watches = await load(entry.replace("helm-charts/small", "small"), { root: folder.path });
    expect(watches).toEqual([expect.objectContaining({ chart })]);
  });

  it("expands the process's environment by default", async () => {
    await using folder = await temporaryFolder();
    await writeFiles(join(folder.path, "helm-charts/small"), smallChart);
    await writeFiles(folder.path, { "watches.yaml": `${entry}  overrideValues: {path: "\${PATH}"}\n` });
    const [watch] = await loadWatches(join(folder.path, "watches.yaml"));
    expect(watch?.overrideValues).toEqual({ path: process.env.PATH });
  });

  it("treats __proto__ as a path like any other", async () => {
    const [watch] = (await load(`${entry}  overrideValues: {__proto__: a, __proto__.b: c}\n`)) as Watch[];
    expect(JSON.stringify(watch?.overrideValues)).toBe('{"__proto__":"a","__proto__.b":"c"}');
  });
});

describe("rejects a watches.yaml", () => {
  const small = "chart: helm-charts/small";

  it("for a duplicate kind, and names both entries", async () => {
    const twice = `- {group: a.io, version: v1, kind: A, ${small}}\n- {group: b.io, version: v1, kind: A, ${small}}\n- {group: a.io, version: v1, kind: A, ${small}}\n`;
    expect(await load(twice)).toBe(
      "PATH/watches.yaml:3: entries [0] and [2]: both are for a.io/v1, Kind=A: a kind has one chart, so remove one of them",
    );
    expect(await load(entry + entry)).toContain("entries [0] and [1]: both are for v1alpha1, Kind=Memcached");
    expect(
      await load(twice.replaceAll(", kind: A", ", kind: A").replace("version: v1,", "version: v2,")),
    ).toHaveLength(3);
  });

  it.each<[string, string]>([
    [`- kind: A\n  ${small}`, "watches.yaml:1: entry [0]: version is missing: add version: v1alpha1"],
    [`${entry}- version: v1\n  ${small}`, "watches.yaml:4: entry [1]: kind is missing: add kind: Memcached"],
    [`${entry}- version: ""\n  kind: A\n  ${small}`, "watches.yaml:4: entry [1]: version is missing"],
    [
      `${entry}- version: v1\n  kind: A`,
      "watches.yaml:4: entry [1]: chart is missing: add chart: helm-charts/memcached",
    ],
    [
      `${entry}  overideValues: {}`,
      "watches.yaml:4: entry [0]: there is no field overideValues: did you mean overrideValues?",
    ],
    [`${entry}  Chart: x`, "there is no field Chart: did you mean chart?"],
    [`${entry}  maxConcurrentReconcile: 1`, "did you mean maxConcurrentReconciles?"],
    [
      `${entry}  replicas: 1`,
      "there is no field replicas: the fields are group, version, kind, chart, watchDepend",
    ],
    [`${entry}  __proto__: 1`, "there is no field __proto__: the fields are"],
    [`${entry}  selector: {matchLabel: {}}`, "no field selector.matchLabel: did you mean matchLabels?"],
    [
      entry.replace("helm-charts/small", "helm-charts/missing"),
      "watches.yaml:3: entry [0]: there is no chart at PATH/helm-charts/missing: a",
    ],
    [
      entry.replace("helm-charts/small", "bitnami/memcached"),
      "there is no chart at PATH/bitnami/memcached: ",
    ],
    [
      entry.replace("helm-charts/small", "../../etc"),
      "entry [0]: chart ../../etc leads out of PATH: copy the chart into it",
    ],
    [entry.replace("helm-charts/small", "../outside"), "entry [0]: chart ../outside leads out of PATH"],
    [entry.replace("helm-charts/small", "../project-too"), "leads out of PATH"],
    [
      entry.replace("helm-charts/small", "/etc"),
      "entry [0]: chart /etc is an absolute path: write it relative to PATH",
    ],
    [
      entry.replace("helm-charts/small", "helm-charts/link"),
      "leads through a link to ABOVE/outside, outside PATH",
    ],
    [
      entry.replace("v1alpha1", "cache.example.com/v1"),
      'version "cache.example.com/v1" is not an API version: write its group',
    ],
    [entry.replace("v1alpha1", "1"), "version is 1: write a quoted string"],
    [entry.replace("v1alpha1", "V1"), 'version "V1" is not an API version'],
    [entry.replace("Memcached", "yes"), "kind is true: write a quoted string"],
    [entry.replace("Memcached", "Mem/cached"), 'kind "Mem/cached" is not a kind'],
    [`${entry}  group: Cache.example.com`, 'group "Cache.example.com" is not an API group'],
    [`${entry}  watchDependentResources: "no"`, 'watchDependentResources is "no": write true or false'],
    [`${entry}  maxConcurrentReconciles: 0`, "maxConcurrentReconciles is 0: write a whole number from 1"],
    [`${entry}  maxConcurrentReconciles: 1.5`, "maxConcurrentReconciles is 1.5"],
    [`${entry}  maxConcurrentReconciles: "2"`, 'maxConcurrentReconciles is "2"'],
    [`${entry}  reconcilePeriod: 60`, "reconcilePeriod is 60: write a duration with its unit, such as 60s"],
    [`${entry}  reconcilePeriod: -1m`, 'reconcilePeriod is "-1m": write a duration'],
    [`${entry}  reconcilePeriod: 1 hour`, 'reconcilePeriod is "1 hour"'],
    [`${entry}  overrideValues: [a=1]`, "overrideValues is a list: write a table"],
    [
      `${entry}  overrideValues:\n    image.tag: 1.10`,
      'watches.yaml:5: entry [0]: overrideValues "image.tag" is 1.1: write a quoted string',
    ],
    [`${entry}  overrideValues: {a: {b: 1}}`, 'overrideValues "a" is a table: write a quoted string'],
    [`${entry}  overrideValues: {a: }`, 'overrideValues "a" is empty: write a quoted string'],
    [`${entry}  selector: app=web`, 'selector is "app=web": write a table'],
    [`${entry}  selector: {matchLabels: {a: 1}}`, "selector.matchLabels a is 1: write a quoted string"],
    [
      `${entry}  selector: {matchExpressions: [{key: a, operator: Equals}]}`,
      'selector.matchExpressions[0].operator is "Equals": write In, NotIn',
    ],
    [
      `${entry}  selector: {matchExpressions: [{key: a, operator: In}]}`,
      "selector.matchExpressions[0].values is empty, but In needs values",
    ],
    [
      `${entry}  selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}`,
      ".values must be left out: Exists takes none",
    ],
    [
      `${entry}  selector: {matchExpressions: [{operator: Exists}]}`,
      "selector.matchExpressions[0].key is missing",
    ],
    [
      "- memcached\n",
      'watches.yaml:1: entry [0]: it is "memcached", but an entry needs the fields version, kind and chart',
    ],
    ["-\n", "entry [0]: it is empty"],
    ["version: v1\n", "watches.yaml:1: it is not a list: begin each entry with a dash"],
    ["memcached", "watches.yaml:1: it is not a list"],
    [`${entry}---\n${entry}`, "watches.yaml:5: a second document begins"],
    [`${entry}  kind: Redis\n`, "watches.yaml:4: column 3: Map keys must be unique"],
    [`${entry}\tkind: Redis\n`, "watches.yaml:4: column "],
    ["- a: [\n", "watches.yaml:2: column 1: "],
    [
      `- &a [${"x,".repeat(9)}]\n${[..."bcdefgh"].map((name, i) => `- &${name} [${`*${"abcdefg"[i]},`.repeat(9)}]\n`).join("")}`,
      "Excessive alias count",
    ],
    ["- &a [*a]\n", "watches.yaml:1: column "],
    [`# ${"x".repeat(1024 * 1024)}`, "watches.yaml:1: it has more than 1048576 bytes"],
  ])("%j", async (text, message) => {
    expect(await load(text)).toContain(message);
  });

  it("with all of its mistakes at once, in the order of the file", async () => {
    const text = `- kind: A\n  chart: ../x\n  foo: 1\n${entry}  grup: a.io\n- version: v1\n  kind: B\n  chart: missing\n`;
    expect(await load(text)).toBe(
      [
        "PATH/watches.yaml:1: entry [0]: version is missing: add version: v1alpha1",
        "PATH/watches.yaml:3: entry [0]: there is no field foo: the fields are group, version, kind, chart, watchDependentResources, overrideValues, reconcilePeriod, maxConcurrentReconciles, selector",
        "PATH/watches.yaml:7: entry [1]: there is no field grup: did you mean group?",
        "PATH/watches.yaml:10: entry [2]: there is no chart at PATH/missing: a chart is a folder with a Chart.yaml, or a .tgz file (helm pull downloads one)",
      ].join("\n"),
    );
  });

  it("when it is missing or unreadable", async () => {
    await expect(loadWatches("/nowhere/watches.yaml")).rejects.toThrow(
      "/nowhere/watches.yaml:1: there is no such file",
    );
    await using folder = await temporaryFolder();
    await expect(loadWatches(folder.path)).rejects.toThrow(`${folder.path}:1: it cannot be read: EISDIR`);
  });

  it("without showing the value of an environment variable", async () => {
    const text = `${entry}  overrideValues: {a: $PASSWORD}\n  foo: 1\n`;
    expect(await load(text, { environment: { PASSWORD: "hunter2" } })).not.toContain("hunter2");
  });
});
