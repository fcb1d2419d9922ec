import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import { configMap, mergePatch, paths, pod, service } from "../objects.ts";

const { configMaps, namespaces } = paths;
const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
const create = (name: string, metadata: JsonObject): Exchange => ({
  name,
  path: configMaps,
  body: configMap({}, metadata),
});
const change = (name: string, body: JsonObject): Exchange => ({
  name,
  method: "PATCH",
  path: `${configMaps}/a`,
  contentType: mergePatch,
  body,
  given: [{ path: configMaps, body: configMap() }],
});

export const metadata: Exchange[] = [
  { name: "no name", path: configMaps, body: {} },
  create("name: capitals", { name: "A" }),
  create("name: underscore", { name: "a_b" }),
  create("name: dots", { name: "a.b-c.1" }),
  create("name: begins with a hyphen", { name: "-a" }),
  create("name: too long", { name: "a".repeat(254) }),
  { name: "name of a service", path: paths.services, body: { ...service(), metadata: { name: "a.b" } } },
  {
    name: "name of a service begins with a digit",
    path: paths.services,
    body: { ...service(), metadata: { name: "1a" } },
  },
  { name: "name of a role", path: paths.roles, body: { metadata: { name: "system:a" } } },
  { name: "name of a Pod: capitals", path: paths.pods, body: pod({}, { name: "A" }) },
  {
    name: "namespace of a namespace",
    path: `${namespaces}?dryRun=All`,
    body: { metadata: { name: "recorded-dry", namespace: "b" } },
  },
  create("another namespace", { namespace: "b" }),
  create("label key: bad", { labels: { "a b": "c" } }),
  create("label key: prefix", { labels: { "Ex.io/a": "c" } }),
  create("label key: empty prefix", { labels: { "/a": "c" } }),
  create("label key: empty name", { labels: { "ex.io/": "c" } }),
  create("label key: two slashes", { labels: { "a/b/c": "c" } }),
  create("label key: too long", { labels: { ["a".repeat(64)]: "c" } }),
  create("label value: bad", { labels: { a: "b c" } }),
  create("label value: too long", { labels: { a: "a".repeat(64) } }),
  create("label value: empty", { labels: { a: "" } }),
  create("annotation key: capitals are fine", { annotations: { "Ex.io/A": "c" } }),
  create("annotation key: bad", { annotations: { "a b": "c" } }),
  create("annotations: too large", { annotations: { a: "x".repeat(256 * 1024) } }),
  create("finalizer: bad", { finalizers: ["a b"] }),
  create("finalizer: not qualified", { finalizers: ["x"] }),
  create("owner: empty", { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] }),
  create("owner: an Event", { ownerReferences: [{ ...owner, kind: "Event" }] }),
  create("owner: two controllers", {
    ownerReferences: [
      { ...owner, controller: true },
      { ...owner, name: "q", uid: "v", controller: true },
    ],
  }),
  create("owner: the same twice", { ownerReferences: [owner, owner] }),
  change("update: labels", { metadata: { labels: { a: "b c" } } }),
  change("update: uid", { metadata: { uid: "x" } }),
  change("update: creationTimestamp is ignored", { metadata: { creationTimestamp: "2020-01-01T00:00:00Z" } }),
];
