import type { Json, Script, Step } from "../script.ts";
import {
  bug,
  bugs,
  configMap,
  container,
  defined,
  deployment,
  get,
  jsonPatch,
  merge,
  objectSchema,
  paths,
  post,
  service,
  setup,
  strategic,
} from "./make.ts";

const { configMaps, deployments, services } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "patches", steps });
const map = setup(post(configMaps, configMap("a", { x: "1", y: "2" }, { labels: { app: "a" } })));
const json = (...operations: Json[]): Step => jsonPatch(`${configMaps}/a`, operations);
const web = setup(
  post(
    deployments,
    deployment(
      "web",
      {},
      {
        containers: [
          container({
            env: [
              { name: "A", value: "1" },
              { name: "B", value: "2" },
            ],
            ports: [{ containerPort: 80 }],
          }),
          container({ name: "side", image: "busybox" }),
        ],
        volumes: [{ name: "v", emptyDir: {} }],
        tolerations: [{ key: "a", operator: "Exists" }],
      },
    ),
  ),
);
const template = (spec: Json): Json => ({ spec: { template: { spec } } });
const both = (name: string, patch: Json): Script =>
  script(name, web, strategic(`${deployments}/web`, patch), merge(`${deployments}/web`, patch));

/** JSON patch, merge patch, strategic merge patch. */
export const patches: readonly Script[] = [
  script(
    "json: add, replace, remove, copy, move, test",
    map,
    json({ op: "add", path: "/data/z", value: "3" }),
    json({ op: "replace", path: "/data/x", value: "9" }),
    json({ op: "remove", path: "/data/y" }),
    json({ op: "copy", from: "/data/x", path: "/data/c" }),
    json({ op: "move", from: "/data/c", path: "/data/m" }),
    json({ op: "test", path: "/data/x", value: "9" }, { op: "replace", path: "/data/x", value: "10" }),
  ),
  script(
    "json: errors",
    map,
    json({ op: "test", path: "/data/x", value: "2" }),
    json({ op: "remove", path: "/data/none" }),
    json({ op: "replace", path: "/data/none", value: "1" }),
    json({ op: "add", path: "/none/x", value: "1" }),
    json({ op: "jump", path: "/data/x" }),
    json({ op: "add", path: "data", value: "1" }),
    jsonPatch(`${configMaps}/a`, { op: "add" }),
    jsonPatch(`${configMaps}/a`, "nonsense"),
    json({ op: "copy", from: "/none", path: "/data/q" }),
    get(`${configMaps}/a`),
  ),
  script(
    "json: escapes and array places",
    web,
    jsonPatch(`${deployments}/web`, [
      { op: "add", path: "/spec/template/spec/containers/0/env/-", value: { name: "C", value: "3" } },
      { op: "add", path: "/spec/template/spec/containers/0/env/0", value: { name: "Z" } },
      { op: "remove", path: "/spec/template/spec/containers/1" },
      { op: "add", path: "/metadata/annotations", value: { "a/b": "1" } },
      { op: "replace", path: "/metadata/annotations/a~1b", value: "2" },
    ]),
    jsonPatch(`${deployments}/web`, [{ op: "remove", path: "/spec/template/spec/containers/7" }]),
  ),
  script(
    "json: the whole document",
    map,
    json({ op: "replace", path: "", value: configMap("a", { whole: "1" }) }),
    json({ op: "replace", path: "/metadata/name", value: "b" }),
    json({ op: "add", path: "/metadata/uid", value: "x" }),
    json({ op: "replace", path: "/kind", value: "Secret" }),
    json({ op: "replace", path: "", value: "x" }),
  ),
  script(
    "the kind",
    map,
    merge(`${configMaps}/a`, { kind: "None" }),
    merge(`${configMaps}/a`, { kind: "Namespace" }),
    merge(`${configMaps}/a`, { apiVersion: "apps/v1", kind: "Deployment", data: null }),
    strategic(`${configMaps}/a`, { apiVersion: "v2" }),
  ),
  script(
    "merge: nulls, arrays, objects",
    map,
    merge(`${configMaps}/a`, { data: { x: null, n: "1" } }),
    merge(`${configMaps}/a`, { data: null }),
    merge(`${configMaps}/a`, { metadata: { labels: { app: null }, annotations: { a: "b" } } }),
    merge(`${configMaps}/a`, { metadata: { finalizers: ["example.io/a"] } }),
    merge(`${configMaps}/a`, []),
    merge(`${configMaps}/a`, "x"),
    merge(`${configMaps}/a`, {}),
  ),
  script(
    "merge: the name, the namespace, the version",
    map,
    merge(`${configMaps}/a`, { metadata: { name: "b" } }),
    merge(`${configMaps}/a`, { metadata: { namespace: "b" } }),
    merge(`${configMaps}/a`, { metadata: { resourceVersion: "1" } }),
    merge(`${configMaps}/a`, { apiVersion: "v2" }),
    merge(`${configMaps}/a`, { kind: "Secret" }),
    merge(`${configMaps}/none`, { data: {} }),
  ),
  both("a container by its name", template({ containers: [{ name: "side", image: "busybox:2" }] })),
  both(
    "an environment variable by its name",
    template({
      containers: [
        {
          name: "main",
          env: [
            { name: "B", value: "9" },
            { name: "C", value: "3" },
          ],
        },
      ],
    }),
  ),
  script(
    "strategic: directives",
    web,
    strategic(`${deployments}/web`, template({ containers: [{ name: "side", $patch: "delete" }] })),
    strategic(
      `${deployments}/web`,
      template({ volumes: [{ $patch: "replace" }, { name: "w", emptyDir: {} }] }),
    ),
    strategic(
      `${deployments}/web`,
      template({ $retainKeys: ["containers", "restartPolicy"], containers: [{ name: "main" }] }),
    ),
    strategic(
      `${deployments}/web`,
      template({
        containers: [
          {
            name: "main",
            "$deleteFromPrimitiveList/args": ["x"],
            "$setElementOrder/env": [{ name: "B" }, { name: "A" }],
            env: [{ name: "B" }, { name: "A" }],
          },
        ],
      }),
    ),
  ),
  script(
    "strategic: errors",
    web,
    strategic(`${deployments}/web`, template({ containers: [{ image: "x" }] })),
    strategic(`${deployments}/web`, template({ containers: [{ name: "main", $patch: "explode" }] })),
    strategic(`${deployments}/web`, { spec: { replicas: "x" } }),
    strategic(`${deployments}/web`, []),
    strategic(`${deployments}/web`, template({ containers: "x" })),
  ),
  script(
    "strategic: lists without a key",
    web,
    strategic(`${deployments}/web`, template({ tolerations: [{ key: "b", operator: "Exists" }] })),
    strategic(`${deployments}/web`, { metadata: { finalizers: ["example.io/a"] } }),
    strategic(`${deployments}/web`, { metadata: { finalizers: ["example.io/b"] } }),
  ),
  script(
    "strategic: a Service's ports",
    setup(
      post(
        services,
        service("web", {
          ports: [
            { name: "http", port: 80 },
            { name: "https", port: 443 },
          ],
        }),
      ),
    ),
    strategic(`${services}/web`, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }),
    strategic(`${services}/web`, { spec: { ports: [{ port: 443, $patch: "delete" }] } }),
  ),
  script(
    "custom resources have no strategic merge",
    ...defined(objectSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true })),
    setup(post(bugs, bug("a", { spec: { list: [1, 2], map: { a: 1 } } }))),
    strategic(`${bugs}/a`, { spec: { list: [3] } }),
    merge(`${bugs}/a`, { spec: { list: [3], map: { b: 2 } } }),
    jsonPatch(`${bugs}/a`, [{ op: "add", path: "/spec/list/-", value: 4 }]),
  ),
  script(
    "media types",
    map,
    { method: "PATCH", path: `${configMaps}/a`, body: {}, contentType: "application/json" },
    { method: "PATCH", path: `${configMaps}/a`, body: {}, contentType: "text/plain" },
    {
      method: "PATCH",
      path: `${configMaps}/a`,
      body: "data: {y: '1'}",
      contentType: "application/merge-patch+yaml",
    },
  ),
];
