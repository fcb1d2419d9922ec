import { readFile } from "node:fs/promises";
import {
  type ClusterRole,
  type CustomResourceDefinition,
  clusterRoles,
  createTransport,
  type Resource,
  roleBindings,
  serviceAccounts,
} from "@operator-path/client";
import { serviceAccountKubeConfig, type TestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  createScheme,
  type Manager,
  type ManagerOptions,
} from "@operator-path/controller-runtime";
import {
  comparablePolicyRules,
  createRequestRecorder,
  policyRulesOf,
} from "@operator-path/controller-runtime/testing";
import { parse } from "yaml";

export interface OperatorOptions {
  /** The custom resources of the recipe. */
  readonly resources: readonly Resource[];
  /** The ClusterRole of the recipe, a file of `src`. The operator has only these permissions, in its namespace. */
  readonly role: string;
  /** Adds the recipe's controllers. */
  readonly setup: (manager: Manager) => void;
  readonly client?: ManagerOptions["client"];
}

/**
 * Starts a recipe's operator in a new namespace, as a ServiceAccount with the recipe's ClusterRole. It watches
 * only that namespace. It runs until it is disposed of: `await using operator = await startOperator(cluster,
 * …)`.
 *
 * @throws ApiError when the cluster rejects the ClusterRole
 */
export async function startOperator(
  cluster: TestCluster,
  { resources, role, setup, client }: OperatorOptions,
) {
  const namespace = await cluster.namespace();
  const wanted = parse(await readFile(new URL(`../${role}`, import.meta.url), "utf8")) as ClusterRole;
  const name = namespace;
  await cluster.client.resource(clusterRoles).create({ ...wanted, metadata: { name } });
  await cluster.client.resource(serviceAccounts).namespace(namespace).create({ metadata: { name } });
  await cluster.client
    .resource(roleBindings)
    .namespace(namespace)
    .create({
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", namespace, name }],
    });
  const kubeConfig = await serviceAccountKubeConfig(cluster, { namespace, name });
  const recorder = createRequestRecorder(createTransport(kubeConfig));
  const manager = createManager(kubeConfig, {
    scheme: createScheme(...resources),
    cache: { namespaces: [namespace] },
    client: { fieldValidation: "Strict", ...client },
    logger: createLogger({ level: "silent" }),
    transport: recorder.transport,
  });
  setup(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  return {
    namespace,
    manager,
    /** Everything that the operator asked of the server. */
    requests: recorder.requests,
    /** The permissions that the requests so far needed, and those that the ClusterRole grants. */
    permissions() {
      const granted = comparablePolicyRules(wanted.rules ?? []);
      // Not a request: the server checks it when an owner reference has blockOwnerDeletion.
      const checked = granted.filter(({ resources: [resource = ""] }) => !resource.endsWith("/finalizers"));
      return { needed: policyRulesOf(recorder.requests), granted: checked };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Returns a CustomResourceDefinition of the kind with a status subresource. It accepts any spec and status. */
export function crdOf({ group, version, kind, plural }: Resource): CustomResourceDefinition {
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
        },
      ],
    },
  };
}
