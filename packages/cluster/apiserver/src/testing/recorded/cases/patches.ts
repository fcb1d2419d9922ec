import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import {
  configMap,
  container,
  jsonPatch,
  mergePatch,
  paths,
  strategicMergePatch,
  workload,
} from "../objects.ts";

const given = [{ path: paths.configMaps, body: configMap({ x: "1", y: "2" }) }];

function patch(
  name: string,
  contentType: string,
  body: JsonObject | JsonValue[] | string,
  query = "",
): Exchange {
  const path = `${paths.configMaps}/a${query}`;
  return { name, method: "PATCH", path, contentType, body, given };
}

const operations: [string, JsonValue[]][] = [
  [
    "test passes",
    [
      { op: "test", path: "/data/x", value: "1" },
      { op: "add", path: "/data/z", value: "3" },
    ],
  ],
  ["test of a missing field", [{ op: "test", path: "/data/nope", value: "2" }]],
  ["test that a field is missing", [{ op: "test", path: "/data/nope", value: null }]],
  ["remove", [{ op: "remove", path: "/data/x" }]],
  ["remove a missing field", [{ op: "remove", path: "/data/nope" }]],
  ["replace", [{ op: "replace", path: "/data/x", value: "9" }]],
  ["replace a missing field", [{ op: "replace", path: "/data/nope", value: "9" }]],
  ["add below a missing field", [{ op: "add", path: "/foo/y", value: "1" }]],
  ["add unknown field", [{ op: "add", path: "/foo", value: "1" }]],
  ["unknown operation", [{ op: "bogus", path: "/foo", value: "1" }]],
  ["no path", [{ op: "add" }]],
  ["move", [{ op: "move", from: "/data/x", path: "/data/z" }]],
  ["move a missing field", [{ op: "move", from: "/data/nope", path: "/data/z" }]],
  ["copy", [{ op: "copy", from: "/data/x", path: "/data/z" }]],
  ["copy a missing field", [{ op: "copy", from: "/data/nope", path: "/data/z" }]],
  ["path without a slash", [{ op: "add", path: "data/z", value: "1" }]],
  ["path of the whole", [{ op: "add", path: "", value: {} }]],
  [
    "index beyond the end",
    [
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/managedFields/9", value: {} },
    ],
  ],
  [
    "escapes",
    [
      { op: "add", path: "/metadata/annotations", value: { "a/b": "1" } },
      { op: "replace", path: "/metadata/annotations/a~1b", value: "2" },
    ],
  ],
  ["__proto__ below nothing", [{ op: "add", path: "/__proto__/x", value: "b" }]],
  ["__proto__ as data", [{ op: "add", path: "/data/__proto__", value: "b" }]],
  ["wrong type", [{ op: "add", path: "/data/n", value: 1 }]],
  ["name removed", [{ op: "remove", path: "/metadata/name" }]],
  ["another namespace", [{ op: "replace", path: "/metadata/namespace", value: "b" }]],
  ["no operations", []],
];

const deployment = workload(
  { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
  {
    volumes: [{ name: "v", configMap: { name: "x" } }],
    tolerations: [{ key: "t", operator: "Exists" }],
    containers: [
      container({
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "2" },
        ],
        args: ["a", "b"],
        ports: [{ containerPort: 80 }, { containerPort: 81 }],
      }),
      container({ name: "side" }),
    ],
  },
);
const inSpec = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

function strategic(name: string, body: JsonObject | string, query = ""): Exchange {
  return {
    name: `lists: ${name}`,
    method: "PATCH",
    path: `${paths.deployments}/a${query}`,
    contentType: strategicMergePatch,
    body,
    given: [{ path: paths.deployments, body: deployment }],
  };
}

export const patches: Exchange[] = [
  ...operations.map(([name, body]) => patch(`JSON: ${name}`, jsonPatch, body)),
  patch("JSON: no JSON", jsonPatch, "nope"),
  patch(
    "JSON: unknown field, Strict",
    jsonPatch,
    [{ op: "add", path: "/foo", value: "1" }],
    "?fieldValidation=Strict",
  ),
  patch(
    "JSON: repeated field, Strict",
    jsonPatch,
    '[{"op":"add","path":"/data/z","value":"b","value":"c"}]',
    "?fieldValidation=Strict",
  ),
  patch("merge: null removes", mergePatch, { data: { x: null, k: "v" } }),
  patch("merge: wrong type", mergePatch, { data: "s" }),
  patch("merge: text", mergePatch, '"s"'),
  patch("merge: no JSON", mergePatch, "nope"),
  patch("merge: unknown field", mergePatch, { foo: 1, metadata: { bar: 1 } }),
  patch(
    "merge: unknown field, Strict",
    mergePatch,
    { foo: 1, metadata: { bar: 1 } },
    "?fieldValidation=Strict",
  ),
  patch("merge: repeated field, Strict", mergePatch, '{"data":{"x":"1","x":"2"}}', "?fieldValidation=Strict"),
  patch("merge: another uid", mergePatch, { metadata: { uid: "b" } }),
  patch("plain JSON is not a patch", "application/json", {}),
  patch("strategic: data", strategicMergePatch, { data: { x: null, k: "v" } }),
  patch("strategic: wrong type", strategicMergePatch, { data: { x: 1 } }),
  patch("strategic: text for a list", strategicMergePatch, { metadata: { finalizers: "x" } }),
  patch("strategic: list", strategicMergePatch, []),
  patch("strategic: no JSON", strategicMergePatch, "nope"),
  patch(
    "strategic: unknown field, Strict",
    strategicMergePatch,
    { foo: 1, metadata: { bar: 1 } },
    "?fieldValidation=Strict",
  ),
  patch(
    "strategic: repeated field, Strict",
    strategicMergePatch,
    '{"data":{"x":"1","x":"2"}}',
    "?fieldValidation=Strict",
  ),
  patch("strategic: $patch replace", strategicMergePatch, { data: { $patch: "replace", k: "v" } }),
  patch("strategic: $patch delete", strategicMergePatch, { data: { $patch: "delete" } }),
  strategic("merge by key", inSpec({ containers: [{ name: "side", image: "busybox" }] })),
  strategic("new element first", inSpec({ containers: [{ name: "new", image: "busybox" }] })),
  strategic("delete an element", inSpec({ containers: [{ name: "side", $patch: "delete" }] })),
  strategic(
    "replace the list",
    inSpec({ containers: [{ $patch: "replace" }, { name: "only", image: "busybox" }] }),
  ),
  strategic("order", inSpec({ "$setElementOrder/containers": [{ name: "side" }, { name: "main" }] })),
  strategic(
    "order and a new element",
    inSpec({
      "$setElementOrder/containers": [{ name: "new" }, { name: "side" }, { name: "main" }],
      containers: [{ name: "new", image: "busybox" }],
    }),
  ),
  strategic(
    "nested lists",
    inSpec({
      containers: [
        {
          name: "main",
          env: [
            { name: "B", value: "3" },
            { name: "A", $patch: "delete" },
            { name: "C", value: "4" },
          ],
        },
      ],
    }),
  ),
  strategic(
    "ports merge by their number",
    inSpec({ containers: [{ name: "main", ports: [{ containerPort: 81, name: "web" }] }] }),
  ),
  strategic(
    "a list without merge is replaced",
    inSpec({ tolerations: [{ key: "u", operator: "Exists" }], containers: [{ name: "main", args: ["c"] }] }),
  ),
  strategic("retain keys", { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
  strategic(
    "another volume source",
    inSpec({ volumes: [{ name: "v", $retainKeys: ["name", "emptyDir"], emptyDir: {} }] }),
  ),
  strategic("null removes a list", inSpec({ tolerations: null, volumes: null })),
  strategic("labels", { metadata: { labels: { a: "b", c: null } } }),
  strategic("retain keys that do not name all", {
    spec: { strategy: { $retainKeys: ["type"], type: "Recreate", rollingUpdate: {} } },
  }),
  strategic("retain keys is a text", { spec: { strategy: { $retainKeys: "type", type: "Recreate" } } }),
  strategic("unknown field", inSpec({ bogus: { x: 1 } })),
  strategic("unknown field, Strict", inSpec({ bogus: { x: 1 } }), "?fieldValidation=Strict"),
  strategic("text for a number", { spec: { replicas: "x" } }),
  strategic("fraction for a number", { spec: { replicas: 1.5 } }),
  strategic("number for a boolean", { spec: { paused: 1 } }),
  strategic("text for a struct", { spec: { template: "x" } }),
  strategic("map for a list", inSpec({ containers: { x: 1 } })),
  strategic("boolean for int or string", { spec: { strategy: { rollingUpdate: { maxSurge: true } } } }),
  strategic(
    "bad quantity",
    inSpec({ containers: [{ name: "main", resources: { limits: { cpu: "abc" } } }] }),
  ),
];
