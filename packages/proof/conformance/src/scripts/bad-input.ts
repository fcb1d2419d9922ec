import type { Script, Step } from "../script.ts";
import {
  bug,
  bugs,
  configMap,
  defined,
  deployment,
  merge,
  objectSchema,
  paths,
  pod,
  post,
  put,
  setup,
} from "./make.ts";

const { configMaps, deployments, pods } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "bad input", steps });
const yaml = { contentType: "application/yaml" };
const sized = defined(
  objectSchema(
    {
      type: "object",
      required: ["size"],
      properties: { size: { type: "integer", format: "int32", minimum: 0, maximum: 10_000 } },
    },
    { status: { type: "object", properties: { size: { type: "integer" } } } },
  ),
  { subresources: { status: {} } },
);
const size = (value: unknown): Step => post(bugs, bug("a", { spec: { size: value as number } }));

/** Typing errors: the first twenty entries of docs/bad-input.md, in order. */
export const badInput: readonly Script[] = [
  script(
    "01 malformed YAML",
    post(configMaps, "metadata:\n  name: a\n bad: [", yaml),
    post(configMaps, "{", {}),
    post(configMaps, '{"metadata":{"name":"a"},}'),
    post(configMaps, "metadata: {name: a}\n\tdata: {}\n", yaml),
    post(configMaps, "not json"),
  ),
  script(
    "02 duplicate key",
    post(`${configMaps}?fieldValidation=Strict`, "metadata: {name: a}\nmetadata: {name: b}\n", yaml),
    post(
      `${configMaps}?fieldValidation=Strict`,
      '{"kind":"ConfigMap","kind":"ConfigMap","metadata":{"name":"a"}}',
    ),
  ),
  script(
    "03 alias bomb",
    post(
      configMaps,
      "metadata: {name: a}\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n",
      yaml,
    ),
  ),
  script(
    "04 empty document",
    post(configMaps, "", yaml),
    post(configMaps, "---\n", yaml),
    post(configMaps, "{}"),
    post(configMaps, "null"),
  ),
  script(
    "05 missing kind",
    post(configMaps, { apiVersion: "v1", metadata: { name: "a" } }),
    post(configMaps, { apiVersion: "apps/v1", metadata: { name: "b" } }),
    ...sized,
    post(bugs, { metadata: { name: "a" }, spec: { size: 1 } }),
  ),
  script(
    "06 unknown kind",
    post("/apis/{{ns}}.example.io/v1/namespaces/{{ns}}/things", { kind: "Thing", metadata: { name: "a" } }),
    post(configMaps, { apiVersion: "v1", kind: "Thing", metadata: { name: "a" } }),
  ),
  script("07 size as text", ...sized, size("3"), post(deployments, deployment("a", { replicas: "3" }))),
  script("08 size below zero", ...sized, size(-1), post(deployments, deployment("a", { replicas: -1 }))),
  script(
    "09 size of 2³¹",
    ...sized,
    size(2 ** 31),
    post(
      bugs,
      '{"apiVersion":"{{ns}}.example.io/v1","kind":"Bug","metadata":{"name":"a"},"spec":{"size":9223372036854775808}}',
    ),
    post(deployments, deployment("a", { replicas: 2 ** 31 })),
    post(deployments, deployment("b", { replicas: 1e30 })),
    size(2_500_000.5),
    size(-0.000_01),
  ),
  script(
    "10 half a size",
    ...sized,
    size(1.5),
    post(deployments, deployment("a", { replicas: 1.5 })),
    size(2.0),
  ),
  script(
    "11 null where something is required",
    ...sized,
    size(null),
    post(bugs, bug("a", { spec: {} })),
    post(bugs, bug("b", { spec: null })),
    post(bugs, bug("c")),
    post(deployments, deployment("a", { selector: null })),
    post(deployments, deployment("b", { template: null })),
  ),
  script(
    "12 unknown field",
    ...sized,
    post(`${bugs}?fieldValidation=Strict`, bug("a", { spec: { size: 1, colour: "red" } })),
    post(`${bugs}?fieldValidation=Warn`, bug("b", { spec: { size: 1, colour: "red" } })),
    post(bugs, bug("c", { spec: { size: 1, colour: "red" } })),
  ),
  script(
    "13 name in Unicode",
    post(configMaps, configMap("grün")),
    post(configMaps, configMap("UPPER")),
    post(configMaps, configMap("a_b")),
    post(configMaps, configMap("-a")),
    post(configMaps, configMap("a..b")),
    ...sized,
    post(bugs, bug("Käfer", { spec: { size: 1 } })),
    post(paths.services, { metadata: { name: "1web" }, spec: { ports: [{ port: 80 }] } }),
    post("/api/v1/namespaces", { metadata: { name: "a.b" } }),
  ),
  script(
    "14 name of 254 characters",
    post(configMaps, configMap("a".repeat(254))),
    post(configMaps, configMap("a".repeat(253))),
    post(paths.services, { metadata: { name: "a".repeat(64) }, spec: { ports: [{ port: 80 }] } }),
    post("/api/v1/namespaces", { metadata: { name: "a".repeat(64) } }),
  ),
  script(
    "15 label of 64 characters",
    post(configMaps, configMap("a", {}, { labels: { key: "v".repeat(64) } })),
    post(configMaps, configMap("a", {}, { labels: { ["k".repeat(64)]: "v" } })),
    post(configMaps, configMap("a", {}, { labels: { "a/b/c": "v", "": "x", ok: "not ok" } })),
    post(configMaps, configMap("a", {}, { labels: { [`${"p".repeat(254)}/x`]: "v" } })),
  ),
  script(
    "16 __proto__ is data only",
    post(configMaps, '{"metadata":{"name":"a"},"data":{"__proto__":"x","constructor":"y","toString":"z"}}'),
    merge(`${configMaps}/a`, '{"data":{"__proto__":"changed"}}'),
    ...sized,
    post(
      bugs,
      '{"apiVersion":"{{ns}}.example.io/v1","kind":"Bug","metadata":{"name":"a"},"spec":{"size":1,"__proto__":{"polluted":true}}}',
    ),
  ),
  script(
    "17 body of more than 3 MiB",
    post(configMaps, configMap("a", { x: "x".repeat(3.5 * 1024 * 1024) })),
    put(`${configMaps}/a`, configMap("a", { x: "x".repeat(3.5 * 1024 * 1024) })),
  ),
  script(
    "18 annotations of more than 256 KiB",
    post(configMaps, configMap("a", {}, { annotations: { x: "x".repeat(256 * 1024 + 1) } })),
    post(configMaps, configMap("a", {}, { annotations: { "not ok": "x" } })),
  ),
  script(
    "19 stale resourceVersion",
    setup(post(configMaps, configMap())),
    put(`${configMaps}/a`, configMap("a", {}, { resourceVersion: "1" })),
    put(`${configMaps}/a`, configMap("a", {}, { resourceVersion: "abc" })),
    merge(`${configMaps}/a`, { metadata: { resourceVersion: "1" } }),
  ),
  script(
    "20 immutable selector",
    setup(post(deployments, deployment("web"))),
    merge(`${deployments}/web`, { spec: { selector: { matchLabels: { app: "other" } } } }),
    merge(`${deployments}/web`, {
      spec: {
        selector: { matchLabels: { app: "other" } },
        template: { metadata: { labels: { app: "other" } } },
      },
    }),
    setup(
      post(paths.jobs, {
        metadata: { name: "a" },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } } },
      }),
    ),
    merge(`${paths.jobs}/a`, { spec: { template: { spec: { restartPolicy: "OnFailure" } } } }),
  ),
  script(
    "deep nesting",
    post(configMaps, `${'{"a":'.repeat(12_000)}1${"}".repeat(12_000)}`),
    post(configMaps, `{"metadata":{"name":"a"},"data":${"[".repeat(500)}${"]".repeat(500)}}`),
  ),
  script(
    "wrong types",
    post(configMaps, { metadata: "a" }),
    post(configMaps, { metadata: { name: 1 } }),
    post(configMaps, { metadata: { name: "a", labels: ["x"] } }),
    post(configMaps, { metadata: { name: "a" }, data: { x: 1 } }),
    post(configMaps, { metadata: { name: "a" }, data: "x" }),
    post(pods, pod("a", { containers: {} })),
    post(pods, pod("a", { terminationGracePeriodSeconds: "30" })),
    post(paths.secrets, { metadata: { name: "a" }, data: { x: "not base64!" } }),
    post(configMaps, { metadata: { name: "a", creationTimestamp: "yesterday" } }),
  ),
  script(
    "invalid options",
    post(`${configMaps}?dryRun=all`, configMap()),
    { method: "GET", path: `${configMaps}?limit=x` },
    { method: "GET", path: `${configMaps}?limit=-1` },
    { method: "GET", path: `${configMaps}?timeoutSeconds=x` },
    { method: "GET", path: `${configMaps}?watch=perhaps` },
    { method: "GET", path: `${configMaps}?labelSelector=a%3D%3D%3Db` },
    { method: "GET", path: `${configMaps}?fieldSelector=a` },
    { method: "GET", path: `${configMaps}?pretty=true` },
  ),
];
