import type { Json, JsonMap, Script, Step } from "../script.ts";
import { apply, configMap, jsonPatch, merge, paths, post, setup } from "./make.ts";

const { configMaps } = paths;
const a = `${configMaps}/a`;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "apply", steps });
const by = (manager: string, data: Json, query = ""): Step =>
  apply(a, manager, { ...configMap(), data }, query);
const first = setup(apply(a, "one", configMap("a", { x: "1", y: "2" })));

const managers = (...list: Json[]): JsonMap => ({ metadata: { managedFields: list } });
const entry = (more: JsonMap = {}): JsonMap => ({
  manager: "sent",
  operation: "Update",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:x": {} } },
  ...more,
});

/** metadata.managedFields as clients send it. */
export const managing: readonly Script[] = [
  script(
    "managers of every write",
    post(configMaps, configMap("a", { x: "1" }, { labels: { a: "b" } }), { userAgent: "tool/1.2 (linux)" }),
    merge(a, { data: { y: "1" } }, { userAgent: "other tool" }),
    merge(`${a}?fieldManager=named`, { data: { z: "1" } }),
    jsonPatch(a, [{ op: "remove", path: "/data/x" }]),
  ),
  script(
    "managedFields: reset by an empty list",
    first,
    merge(a, { metadata: { managedFields: [] } }),
    merge(a, { data: { z: "1" } }),
    by("one", { x: "9" }),
    by("one", { x: "9" }, "&force=true"),
  ),
  script("managedFields: reset by an empty entry", first, merge(a, managers({})), by("two", { x: "1" })),
  script("managedFields: null keeps them", first, merge(a, { metadata: { managedFields: null } })),
  script(
    "managedFields: an entry is removed",
    first,
    merge(`${a}?fieldManager=u`, { data: { z: "1" } }),
    jsonPatch(a, [{ op: "remove", path: "/metadata/managedFields/0" }]),
    by("two", { x: "9" }),
  ),
  script(
    "managedFields: invalid entries are ignored",
    first,
    merge(a, managers(entry({ operation: "Delete" }))),
    merge(a, managers(entry({ apiVersion: "" }))),
    merge(a, managers(entry({ fieldsType: "" }))),
    merge(a, managers(entry({ fieldsType: "FieldsV2" }))),
    merge(a, managers(entry({ fieldsV1: { x: {} } }))),
    merge(a, managers(entry({ fieldsV1: { "k:[": {} } }))),
  ),
  script(
    "managedFields: sent by the client",
    first,
    merge(`${a}?fieldManager=u`, managers(entry())),
    by("two", { x: "9" }),
  ),
  script(
    "managedFields: of a missing version",
    first,
    merge(`${a}?fieldManager=u`, { ...managers(entry({ apiVersion: "v9" })), data: { z: "1" } }),
  ),
  script("managedFields: with a long name", first, merge(a, managers(entry({ manager: "x".repeat(129) })))),
  script(
    "managedFields: in a create",
    post(configMaps, {
      ...configMap(),
      metadata: { name: "a", managedFields: [entry({ operation: "Apply" })] },
    }),
  ),
  script(
    "more than ten updaters",
    setup(post(`${configMaps}?fieldManager=u-00`, configMap())),
    ...Array.from({ length: 13 }, (_, n) =>
      merge(`${a}?fieldManager=u-${String(n + 1).padStart(2, "0")}`, { data: { [`k${n}`]: "1" } }),
    ),
  ),
];
