import { startApiServer } from "@operator-path/apiserver";
import {
  type Client,
  type Clock,
  clusterRoleBindings,
  clusterRoles,
  createClient,
  customResourceDefinitions,
  KubeConfig,
  serviceAccounts,
} from "@operator-path/client";
import { startControllerManager } from "@operator-path/controller-manager";
import { sites } from "../reference/site.ts";

export interface SentRequest {
  readonly user: string;
  readonly method: string;
  readonly path: string;
}

/**
 * The embedded API server with its Deployment controller (no garbage collector), the CRD of sites, and a user
 * for their operator.
 */
export interface SiteCluster extends AsyncDisposable {
  /** The administrator's. */
  readonly client: Client;
  /** The user of the operator's ServiceAccount. */
  readonly kubeConfig: KubeConfig;
  readonly operator: string;
  /** The writes that the server received: user and path. */
  readonly writes: readonly SentRequest[];
}

export async function startSiteCluster(clock: Clock, log: (line: string) => void): Promise<SiteCluster> {
  await using undo = new AsyncDisposableStack();
  const writes: SentRequest[] = [];
  const server = await startApiServer({
    ...{ clock, log },
    onRequest({ method, path, user }) {
      if (method !== "GET") writes.push({ user: user.username, method, path });
    },
  });
  undo.defer(() => server.stop());
  const client = createClient(server.kubeConfig());
  undo.defer(() => client.close());
  const controllers = startControllerManager({
    ...{ client, clock, log },
    controllers: ["deployment-controller"],
  });
  undo.defer(() => controllers.stop());
  await client.resource(customResourceDefinitions).create(definition);
  const token = await createOperator(client);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [
      { name: "embedded", server: server.url, caData: Buffer.from(server.caCertificate).toString("base64") },
    ],
    users: [{ name: "operator", token }],
    contexts: [{ name: "operator", cluster: "embedded", user: "operator" }],
    currentContext: "operator",
  });
  const running = undo.move();
  return {
    ...{ client, kubeConfig, writes, operator: "system:serviceaccount:default:site-operator" },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const name = "site-operator";

/** The operator's permissions, and no others. */
async function createOperator(client: Client): Promise<string> {
  const accounts = client.resource(serviceAccounts).namespace("default");
  await accounts.create({ metadata: { name } });
  const all = ["get", "list", "watch"];
  await client.resource(clusterRoles).create({
    metadata: { name },
    rules: [
      { apiGroups: [sites.group], resources: ["sites"], verbs: [...all, "update", "patch"] },
      { apiGroups: [sites.group], resources: ["sites/status"], verbs: ["update", "patch"] },
      // For blockOwnerDeletion in the controller references.
      { apiGroups: [sites.group], resources: ["sites/finalizers"], verbs: ["update"] },
      { apiGroups: ["apps"], resources: ["deployments"], verbs: [...all, "create", "update", "delete"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] },
      { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    ],
  });
  await client.resource(clusterRoleBindings).create({
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
  });
  const request = { spec: { audiences: [], expirationSeconds: 7 * 24 * 3600 } };
  const answer = await accounts.createSubresource<{ status?: { token?: string } }>(
    name,
    "token",
    request as never,
  );
  return answer.status?.token ?? "";
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${sites.plural}.${sites.group}` },
  spec: {
    group: sites.group,
    names: { kind: sites.kind, plural: sites.plural, singular: "site", listKind: "SiteList" },
    scope: "Namespaced" as const,
    versions: [
      {
        ...{ name: sites.version, served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size: { type: "integer" } } },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};
