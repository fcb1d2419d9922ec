import type { ApiObject, JsonObject } from "./lib/json/json.ts";
import { anonymousUser } from "./server/auth/user.ts";
import { type CreateContext, createObject } from "./server/endpoints/create.ts";
import type { ApiRequest } from "./server/http/request.ts";
import { serverOptions } from "./server/registry/options.ts";
import { createView } from "./server/registry/views.ts";
import { collectionOf } from "./server/storage/keys.ts";
import { groupVersion } from "./server/types/resource-type.ts";

/** The priority classes of Pods that the cluster depends on: scheduling.SystemPriorityClasses. */
const priorityClasses = [
  {
    metadata: { name: "system-node-critical" },
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    metadata: { name: "system-cluster-critical" },
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
];

/** The address in the API server's own Endpoints: that of a cluster's first node. */
const advertisedAddress = "172.18.0.2";

const namespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Stores the default objects of a cluster, before the first request. */
export async function bootstrap(context: CreateContext, port: number): Promise<void> {
  for (const name of namespaces) await store(context, "namespaces", "", { metadata: { name } });
  for (const priorityClass of priorityClasses) {
    await store(context, "priorityclasses", "", priorityClass, "scheduling.k8s.io");
  }
  const ports = [{ name: "https", protocol: "TCP", port: 443, targetPort: port }];
  await store(context, "services", "default", {
    metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: { type: "ClusterIP", clusterIP: "10.96.0.1", ports },
  });
  // Endpoints cannot contain a loopback address. This one is the control plane node's, with the server's real
  // port.
  const endpointPorts = [{ name: "https", protocol: "TCP", port }];
  await store(context, "endpoints", "default", {
    metadata: { name: "kubernetes", labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: advertisedAddress }], ports: endpointPorts }],
  });
  await store(
    context,
    "endpointslices",
    "default",
    {
      metadata: { name: "kubernetes", labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [advertisedAddress], conditions: { ready: true } }],
      ports: endpointPorts,
    },
    "discovery.k8s.io",
  );
}

async function store(
  context: CreateContext,
  plural: string,
  namespace: string,
  object: JsonObject,
  group = "",
): Promise<void> {
  const type = context.registry.find(group, "v1", plural);
  if (type === undefined) throw new Error(`the type data has no ${plural}`);
  const draft = { apiVersion: groupVersion(type), kind: type.kind, ...object } as ApiObject;
  const scope = {
    type,
    collection: collectionOf(type),
    namespace,
    name: "",
    subresource: "",
    request: internal,
  };
  await createObject(
    context,
    scope,
    createView(type, groupVersion(type), context.kindOf),
    draft,
    serverOptions,
  );
}

/** The server's own request, whose warnings are not sent. */
const internal: ApiRequest = {
  method: "POST",
  path: "",
  segments: [],
  query: new URLSearchParams(),
  rawQuery: "",
  headers: {},
  user: anonymousUser,
  signal: new AbortController().signal,
  body: async () => Buffer.alloc(0),
  warn() {},
  disconnect() {},
  warnings: [],
};
