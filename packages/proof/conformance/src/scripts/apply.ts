import type { Json, JsonMap, Script, Step } from "../script.ts";
import {
  apply,
  bug,
  bugs,
  configMap,
  container,
  defined,
  deployment,
  get,
  merge,
  objectSchema,
  paths,
  post,
  put,
  service,
  setup,
} from "./make.ts";

const { configMaps, deployments, services } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "apply", steps });
const a = `${configMaps}/a`;
const map = (data: JsonMap, metadata: JsonMap = {}): JsonMap => configMap("a", data, metadata);
const web = `${deployments}/web`;
const of = (spec: JsonMap): Json => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec,
});
const containers = (...list: JsonMap[]): JsonMap => ({ template: { spec: { containers: list } } });
const listOf = (type: string, more: JsonMap = {}): JsonMap => ({
  type: "array",
  "x-kubernetes-list-type": type,
  ...more,
});
const schema = objectSchema(
  {
    type: "object",
    properties: {
      atomic: listOf("atomic", { items: { type: "string" } }),
      set: listOf("set", { items: { type: "string" } }),
      map: listOf("map", {
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string" },
            value: { type: "string" },
            port: { type: "integer", default: 80 },
          },
        },
      }),
      granular: { type: "object", additionalProperties: { type: "string" } },
      whole: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
  { status: { type: "object", properties: { phase: { type: "string" } } } },
);
const bugDefined = defined(schema, { subresources: { status: {} } });
const applyBug = (manager: string, spec: JsonMap, query = ""): Step =>
  apply(`${bugs}/a`, manager, bug("a", { spec }), query);

/** Server-side apply: ownership, conflicts, list types, subresources, migration. */
export const applying: readonly Script[] = [
  script("creates a missing object", apply(a, "m", map({ x: "1" })), apply(a, "m", map({ x: "1" })), get(a)),
  script(
    "changes fields and removes unnamed ones",
    apply(a, "m", map({ x: "1", y: "2" })),
    apply(a, "m", map({ x: "2" })),
    apply(a, "m", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }),
  ),
  script(
    "two managers",
    apply(a, "one", map({ x: "1" })),
    apply(a, "two", map({ y: "1" })),
    apply(a, "one", map({}, { labels: { l: "1" } })),
    get(a),
  ),
  script(
    "a conflict names the manager",
    apply(a, "one", map({ x: "1", y: "1" })),
    apply(a, "two", map({ x: "2", y: "2" })),
    apply(a, "two", map({ x: "1" })),
    apply(a, "two", map({ x: "2" }), "&force=true"),
    get(a),
    apply(a, "one", map({ x: "3" })),
  ),
  script(
    "a conflict with an update",
    post(configMaps, map({ x: "1" }), { userAgent: "kubectl-create" }),
    apply(a, "one", map({ x: "2" })),
    apply(a, "one", map({ x: "1" })),
    put(a, map({ x: "9" }), { userAgent: "editor/1.0" }),
    apply(a, "one", map({ x: "2" })),
  ),
  script(
    "gives up a shared field without removing it",
    apply(a, "one", map({ x: "1" })),
    apply(a, "two", map({ x: "1" })),
    apply(a, "one", map({})),
    apply(a, "two", map({})),
  ),
  script(
    "dry run",
    apply(a, "m", map({ x: "1" }), "&dryRun=All"),
    get(a),
    apply(a, "m", map({ x: "1" })),
    apply(a, "m", map({ x: "2" }), "&dryRun=All"),
    get(a),
  ),
  script(
    "missing parts of the request",
    { method: "PATCH", path: a, body: map({}), contentType: "application/apply-patch+yaml" },
    apply(a, "m", { kind: "ConfigMap", metadata: { name: "a" } }),
    apply(a, "m", { apiVersion: "v1", metadata: { name: "a" } }),
    apply(a, "m", { apiVersion: "v1", kind: "ConfigMap" }),
    apply(a, "m", map({}, { managedFields: [{ manager: "x", operation: "Apply" }] })),
    apply(a, "m", configMap("b")),
    apply(a, "m", "nonsense: ["),
    apply(a, "m", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    apply(a, "m", []),
  ),
  script(
    "versions and uids as preconditions",
    apply(a, "m", map({ x: "1" }), "", { id: "made" }),
    apply(a, "m", map({ x: "2" }, { resourceVersion: "1" })),
    apply(a, "m", map({ x: "2" }, { uid: "11111111-2222-4333-8444-555555555555" })),
    apply(a, "m", map({ x: "2" }, { resourceVersion: "{{made.metadata.resourceVersion}}" })),
    apply(`${configMaps}/b`, "m", configMap("b", {}, { uid: "11111111-2222-4333-8444-555555555555" })),
  ),
  script(
    "force with another patch",
    setup(post(configMaps, map({}))),
    merge(`${a}?force=true`, {}),
    apply(a, "m", map({}), "&force=perhaps"),
  ),
  script(
    "field validation",
    apply(a, "m", { ...map({}), colour: "red" }, "&fieldValidation=Strict"),
    apply(a, "m", { ...map({}), colour: "red" }, "&fieldValidation=Warn"),
    apply(a, "m", { ...map({}), colour: "red" }),
    apply(
      a,
      "m",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1', x: '2'}\n",
      "&fieldValidation=Strict",
    ),
  ),
  script(
    "wrong types",
    apply(a, "m", map({ x: 1 as unknown as string })),
    apply(web, "m", of({ replicas: "x" })),
    apply(web, "m", of(containers({ image: "x" }))),
    apply(web, "m", of(containers(container(), container()))),
  ),
  script(
    "a Deployment's containers",
    apply(web, "one", deployment("web")),
    apply(web, "two", of(containers({ name: "side", image: "busybox" }))),
    apply(web, "two", of(containers({ name: "main", image: "nginx:2" }))),
    apply(web, "two", of({ template: { spec: { containers: [] } } })),
    apply(web, "one", deployment("web", { replicas: 3 })),
  ),
  script(
    "replicas of another manager",
    apply(web, "one", deployment("web")),
    merge(`${web}/scale`, { spec: { replicas: 7 } }, { userAgent: "autoscaler" }),
    apply(web, "one", deployment("web")),
    get(web),
  ),
  script(
    "status by its subresource",
    apply(web, "one", deployment("web")),
    {
      method: "PATCH",
      path: `${web}/status?fieldManager=controller`,
      contentType: "application/apply-patch+yaml",
      body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, status: { replicas: 2 } },
    },
    apply(web, "one", deployment("web", { replicas: 5 })),
    get(web),
  ),
  script(
    "a Service's ports",
    apply(`${services}/web`, "one", service("web", { ports: [{ name: "http", port: 80, protocol: "TCP" }] })),
    apply(`${services}/web`, "two", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { ports: [{ name: "https", port: 443, protocol: "TCP" }] },
    }),
    apply(`${services}/web`, "two", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: {},
    }),
  ),
  script(
    "labels, annotations, finalizers, owners",
    apply(
      a,
      "one",
      map(
        {},
        {
          labels: { a: "1" },
          annotations: { b: "1" },
          finalizers: ["example.io/a"],
          ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-1" }],
        },
      ),
    ),
    apply(
      a,
      "two",
      map(
        {},
        {
          labels: { a: "1", c: "1" },
          finalizers: ["example.io/b"],
          ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "p", uid: "u-2" }],
        },
      ),
    ),
    apply(a, "one", map({})),
    apply(a, "two", map({})),
  ),
  script(
    "atomic lists and maps",
    ...bugDefined,
    applyBug("one", { atomic: ["a"], whole: { a: "1" } }),
    applyBug("two", { atomic: ["a", "b"] }),
    applyBug("two", { whole: { b: "1" } }),
    applyBug("two", { atomic: ["b"], whole: { b: "1" } }, "&force=true"),
    applyBug("one", {}),
  ),
  script(
    "sets",
    ...bugDefined,
    applyBug("one", { set: ["a", "b"] }),
    applyBug("two", { set: ["b", "c"] }),
    applyBug("one", { set: ["a"] }),
    applyBug("two", {}),
    applyBug("two", { set: ["x", "x"] }),
  ),
  script(
    "maps by key",
    ...bugDefined,
    applyBug("one", {
      map: [
        { name: "a", value: "1" },
        { name: "b", value: "1" },
      ],
    }),
    applyBug("two", { map: [{ name: "a", value: "2" }] }),
    applyBug("two", { map: [{ name: "c", value: "2" }] }),
    applyBug("one", { map: [{ name: "b", value: "3" }] }),
    applyBug("one", { map: [{ name: "a" }, { name: "a" }] }),
    applyBug("one", { map: [{ value: "x" }] }),
  ),
  script(
    "granular maps and fields without a schema",
    ...bugDefined,
    applyBug("one", { granular: { a: "1" }, free: { x: { y: [1, 2] } } }),
    applyBug("two", { granular: { b: "1" }, free: { x: { z: 1 } } }),
    applyBug("two", { free: { x: { y: [3] } } }),
    applyBug("one", { granular: { a: "2" } }),
    applyBug("one", {}),
  ),
  script(
    "null removes a field",
    ...bugDefined,
    applyBug("one", { granular: { a: "1" }, set: null as unknown as string[] }),
    apply(a, "m", map({ x: null as unknown as string })),
  ),
  script(
    "status of a custom resource",
    ...bugDefined,
    applyBug("one", { set: ["a"] }),
    {
      method: "PATCH",
      path: `${bugs}/a/status?fieldManager=two`,
      contentType: "application/apply-patch+yaml",
      body: bug("a", { spec: { set: ["z"] }, status: { phase: "Ready" } }),
    },
    apply(`${bugs}/a`, "one", bug("a", { spec: {}, status: { phase: "Lost" } })),
    get(`${bugs}/a`),
  ),
  script(
    "from client-side apply",
    post(
      configMaps,
      map(
        { x: "1" },
        {
          annotations: {
            "kubectl.kubernetes.io/last-applied-configuration":
              '{"apiVersion":"v1","data":{"x":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
          },
        },
      ),
      { userAgent: "kubectl/v1.36.3", id: "made" },
    ),
    apply(a, "kubectl", map({ x: "2" })),
    apply(a, "kubectl", map({ x: "2" }), "&force=true"),
  ),
  script(
    "an update with the name of an applier",
    apply(a, "m", map({ x: "1" })),
    put(`${a}?fieldManager=m`, map({ x: "2", y: "1" })),
    apply(a, "m", map({ x: "3" })),
    get(a),
  ),
  script(
    "managers that own nothing are removed",
    apply(a, "one", map({ x: "1" })),
    put(`${a}?fieldManager=two`, map({ z: "1" })),
    get(a),
  ),
  script(
    "an apply without changes keeps the version",
    apply(a, "m", map({ x: "1" })),
    apply(a, "m", map({ x: "1" })),
    apply(a, "other", map({ x: "1" })),
    apply(a, "other", map({ x: "1" })),
  ),
];
