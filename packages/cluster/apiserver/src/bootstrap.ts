import { anonymousUser } from "./auth/user.ts";
import type { ApiRequest } from "./http/request.ts";
import type { ApiObject, JsonObject } from "./json.ts";
import { type ApiContext, collectionOf } from "./rest/context.ts";
import { createObject } from "./rest/create.ts";
import { createView } from "./rest/view.ts";
import { groupVersion } from "./types/resource-type.ts";

const namespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Stores what every cluster has before anybody has asked for anything. */
export async function bootstrap(context: ApiContext, port: number): Promise<void> {
  for (const name of namespaces) await store(context, "namespaces", "", { metadata: { name } });
  const ports = [{ name: "https", protocol: "TCP", port: 443, targetPort: port }];
  await store(context, "services", "default", {
    metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: { type: "ClusterIP", clusterIP: "10.96.0.1", ports },
  });
}

async function store(
  context: ApiContext,
  plural: string,
  namespace: string,
  object: JsonObject,
): Promise<void> {
  const type = context.registry.find("", "v1", plural);
  if (type === undefined) throw new Error(`the type data has no ${plural}`);
  const draft = { apiVersion: "v1", kind: type.kind, ...object } as ApiObject;
  const scope = {
    type,
    collection: collectionOf(type),
    namespace,
    name: "",
    subresource: "",
    request: internal,
  };
  await createObject(context, scope, createView(type, groupVersion(type)), draft, false);
}

/** The server's own request: nobody reads its warnings. */
const internal: ApiRequest = {
  method: "POST",
  path: "",
  segments: [],
  query: new URLSearchParams(),
  headers: {},
  user: anonymousUser,
  signal: new AbortController().signal,
  body: async () => Buffer.alloc(0),
  warn() {},
  warnings: [],
};
