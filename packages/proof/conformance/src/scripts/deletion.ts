import type { JsonMap, Script, Step } from "../script.ts";
import {
  bug,
  bugs,
  configMap,
  defined,
  deployment,
  get,
  jsonPatch,
  merge,
  objectSchema,
  paths,
  pod,
  post,
  remove,
  setup,
} from "./make.ts";

const { configMaps, pods, deployments } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "deletion", steps });
const labelled = (name: string, app: string): Step =>
  setup(post(configMaps, configMap(name, {}, { labels: { app } })));
const policy = (propagationPolicy: string): JsonMap => ({ propagationPolicy });

/** Preconditions, grace, finalizers, propagation, collections. */
export const deletion: readonly Script[] = [
  script(
    "an object",
    setup(post(configMaps, configMap())),
    remove(`${configMaps}/a`),
    remove(`${configMaps}/a`),
    get(`${configMaps}/a`),
  ),
  script(
    "preconditions",
    setup(post(configMaps, configMap(), { id: "made" })),
    remove(`${configMaps}/a`, { preconditions: { uid: "11111111-2222-4333-8444-555555555555" } }),
    remove(`${configMaps}/a`, { preconditions: { resourceVersion: "1" } }),
    remove(`${configMaps}/a`, {
      preconditions: { uid: "{{made.metadata.uid}}", resourceVersion: "{{made.metadata.resourceVersion}}" },
    }),
  ),
  script(
    "finalizers",
    setup(post(configMaps, configMap("a", {}, { finalizers: ["example.io/a", "example.io/b"] }))),
    remove(`${configMaps}/a`),
    remove(`${configMaps}/a`),
    merge(`${configMaps}/a`, { metadata: { finalizers: ["example.io/a", "example.io/b", "example.io/c"] } }),
    merge(`${configMaps}/a`, { data: { x: "still here" } }),
    merge(`${configMaps}/a`, { metadata: { finalizers: ["example.io/b"] } }),
    jsonPatch(`${configMaps}/a`, [{ op: "remove", path: "/metadata/finalizers/0" }]),
    get(`${configMaps}/a`),
  ),
  script(
    "invalid finalizers",
    post(configMaps, configMap("a", {}, { finalizers: ["wait", "UPPER CASE"] })),
    post(configMaps, configMap("b", {}, { finalizers: ["orphan"] })),
    post(configMaps, configMap("c", {}, { finalizers: ["orphan", "foregroundDeletion"] })),
  ),
  script(
    "propagation policies",
    ...["Background", "Foreground", "Orphan", "Sideways"].flatMap((word) => [
      setup(post(deployments, deployment(word.toLowerCase()))),
      remove(`${deployments}/${word.toLowerCase()}`, policy(word)),
    ]),
    get(deployments),
  ),
  script(
    "propagation in the query",
    setup(post(deployments, deployment("a"))),
    remove(`${deployments}/a?propagationPolicy=Foreground`),
    setup(post(deployments, deployment("b"))),
    remove(`${deployments}/b?orphanDependents=true`),
    setup(post(deployments, deployment("c"))),
    remove(`${deployments}/c`, { propagationPolicy: "Orphan", orphanDependents: true }),
  ),
  script("a Pod without a node", setup(post(pods, pod())), remove(`${pods}/a`), get(`${pods}/a`)),
  script(
    "a Pod on a node",
    setup(post(pods, pod("a", { nodeName: "n1" }))),
    remove(`${pods}/a`),
    get(`${pods}/a`),
    remove(`${pods}/a`, { gracePeriodSeconds: 60 }),
    // Longer than a slow machine takes from the first deletion to this request: a grace period that is over becomes 1.
    remove(`${pods}/a`, { gracePeriodSeconds: 25 }),
    remove(`${pods}/a?gracePeriodSeconds=0`),
    get(`${pods}/a`),
  ),
  script(
    "a Pod with its own grace period",
    setup(post(pods, pod("a", { nodeName: "n1", terminationGracePeriodSeconds: 7 }))),
    remove(`${pods}/a`, { gracePeriodSeconds: -1 }),
    remove(`${pods}/a`, { gracePeriodSeconds: 1 }),
    merge(`${pods}/a`, { metadata: { labels: { a: "b" } } }),
  ),
  script(
    "a finished Pod",
    setup(post(pods, pod("a", { nodeName: "n1" }))),
    merge(`${pods}/a/status`, { status: { phase: "Succeeded" } }),
    remove(`${pods}/a`),
    get(`${pods}/a`),
  ),
  script(
    "eviction",
    setup(post(pods, pod("a", { nodeName: "n1" }))),
    post(`${pods}/a/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } }),
    post(`${pods}/none/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "none" } }),
    post(`${pods}/a/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "b" } }),
  ),
  script(
    "a collection",
    labelled("a", "x"),
    labelled("b", "x"),
    labelled("c", "y"),
    remove(`${configMaps}?labelSelector=app%3Dx`),
    get(configMaps),
    remove(`${configMaps}?fieldSelector=metadata.name%3Dc&dryRun=All`),
    remove(configMaps),
    get(configMaps),
  ),
  script(
    "a collection with finalizers and propagation",
    setup(post(configMaps, configMap("a", {}, { finalizers: ["example.io/a"] }))),
    setup(post(configMaps, configMap("b"))),
    remove(configMaps, policy("Foreground")),
    get(configMaps),
    merge(`${configMaps}/a`, { metadata: { finalizers: [] } }),
  ),
  script(
    "a collection of Pods",
    setup(post(pods, pod("a", { nodeName: "n1" }))),
    setup(post(pods, pod("b"))),
    remove(`${pods}?gracePeriodSeconds=9`),
    get(pods),
  ),
  script("an empty collection", remove(configMaps)),
  script(
    "custom resources",
    ...defined(objectSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true })),
    setup(post(bugs, bug("a", { metadata: { name: "a", finalizers: ["example.io/a"] } }))),
    setup(post(bugs, bug("b"))),
    remove(`${bugs}/a`),
    remove(bugs),
    merge(`${bugs}/a`, { metadata: { finalizers: null } }),
    get(bugs),
  ),
  script(
    "a namespace",
    setup(post("/api/v1/namespaces", { metadata: { name: "{{ns}}-b" } })),
    setup(post("/api/v1/namespaces/{{ns}}-b/configmaps", configMap())),
    remove("/api/v1/namespaces/{{ns}}-b"),
    post("/api/v1/namespaces/{{ns}}-b/configmaps", configMap("late")),
    get("/api/v1/namespaces/{{ns}}-b/configmaps/a"),
    remove("/api/v1/namespaces/{{ns}}-b"),
  ),
  script(
    "owner references",
    setup(post(configMaps, configMap("owner"), { id: "owner" })),
    post(
      configMaps,
      configMap(
        "a",
        {},
        {
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{owner.metadata.uid}}" },
          ],
        },
      ),
    ),
    post(
      configMaps,
      configMap(
        "b",
        {},
        { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "" }] },
      ),
    ),
    post(
      configMaps,
      configMap("c", {}, { ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "x" }] }),
    ),
    post(
      configMaps,
      configMap(
        "d",
        {},
        {
          ownerReferences: [
            { apiVersion: "v1", kind: "A", name: "a", uid: "x", controller: true },
            { apiVersion: "v1", kind: "B", name: "b", uid: "y", controller: true },
          ],
        },
      ),
    ),
    post(
      configMaps,
      configMap("e", {}, { ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "a", uid: "x" }] }),
    ),
    remove(`${configMaps}/owner`),
    get(`${configMaps}/a`),
  ),
  script(
    "invalid options",
    setup(post(configMaps, configMap())),
    remove(`${configMaps}/a`, { gracePeriodSeconds: "soon" }),
    remove(`${configMaps}/a`, { kind: "Pod", apiVersion: "v1" }),
    remove(`${configMaps}/a?gracePeriodSeconds=soon`),
    remove(`${configMaps}/a`, "nonsense"),
    remove(`${configMaps}/a`, { dryRun: ["some"] }),
    remove(`${configMaps}/a`, { apiVersion: "v1", kind: "DeleteOptions", colour: "red" }),
  ),
];
