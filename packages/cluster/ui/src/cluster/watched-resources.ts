import {
  type Client,
  type CustomResourceDefinition,
  defineResource,
  type KubeObject,
  type Resource,
} from "@operator-path/client";

/** A resource of the view. */
export interface WatchedResource {
  readonly resource: Resource<KubeObject>;
  /** Whether the view needs the metadata only: for objects that are large, secret or have no status. */
  readonly metadataOnly: boolean;
}

/** The built-in resources in the view: those that an operator creates or meets, by group. */
const builtIn: Readonly<Record<string, readonly string[]>> = {
  "": [
    ...["pods", "services", "configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims"],
    ...["persistentvolumes", "namespaces", "nodes", "resourcequotas"],
  ],
  apps: ["deployments", "replicasets", "statefulsets", "daemonsets", "controllerrevisions"],
  batch: ["jobs", "cronjobs"],
  autoscaling: ["horizontalpodautoscalers"],
  "networking.k8s.io": ["ingresses", "networkpolicies"],
  policy: ["poddisruptionbudgets"],
  "coordination.k8s.io": ["leases"],
  "discovery.k8s.io": ["endpointslices"],
  "rbac.authorization.k8s.io": ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
  "admissionregistration.k8s.io": ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
};

/** Other groups of Kubernetes itself. Every group that is in neither list belongs to custom resources. */
const ignoredGroups = new Set([
  ...["apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io"],
  ...["certificates.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io"],
  ...["metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io", "node.k8s.io", "resource.k8s.io"],
  ...["scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io"],
]);

const metadataOnly = new Set([
  "secrets",
  "controllerrevisions",
  "customresourcedefinitions",
  "endpointslices",
]);

interface ApiResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface ApiGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly version: string };
  }[];
}

/**
 * Asks the server which resources it serves, and returns those that the view shows.
 *
 * @returns the resources, and a line for each group that did not answer, such as an aggregated API that is down
 * @throws Error as `client.request` does, if the server does not answer at all
 */
export async function discoverResources(
  client: Client,
  signal: AbortSignal,
): Promise<{ resources: WatchedResource[]; problems: string[] }> {
  const read = async <T>(path: string): Promise<T> => {
    const { body } = await client.request({ method: "GET", path, signal });
    return JSON.parse(Buffer.from(body).toString("utf8")) as T;
  };
  const { groups = [] } = await read<ApiGroupList>("/apis");
  const versions = [
    { group: "", version: "v1", path: "/api/v1" },
    ...groups
      .filter(({ name }) => !ignoredGroups.has(name))
      .map(({ name, preferredVersion }) => {
        const version = preferredVersion?.version ?? "v1";
        return { group: name, version, path: `/apis/${name}/${version}` };
      }),
  ];
  const problems: string[] = [];
  const found = versions.map(async ({ group, version, path }) => {
    try {
      return watchable(group, version, await read<ApiResourceList>(path));
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`${path}: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  });
  return { resources: (await Promise.all(found)).flat(), problems };
}

function watchable(group: string, version: string, { resources = [] }: ApiResourceList): WatchedResource[] {
  return resources
    .filter(({ name, verbs }) => !name.includes("/") && verbs.includes("list") && verbs.includes("watch"))
    .filter(({ name }) => builtIn[group]?.includes(name) ?? true)
    .map(({ name, kind, namespaced }) => ({
      resource: defineResource<KubeObject>({ group, version, kind, plural: name, namespaced }),
      metadataOnly: group in builtIn && metadataOnly.has(name),
    }));
}

/** Returns the resource that a CustomResourceDefinition defines, if the server serves it. */
export function resourceOf({
  spec,
  status,
  metadata,
}: CustomResourceDefinition): WatchedResource | undefined {
  const established = status?.conditions?.some(
    (condition) => condition.type === "Established" && condition.status === "True",
  );
  const served = spec.versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (!established || !version || metadata?.deletionTimestamp !== undefined) return undefined;
  const { group, names, scope } = spec;
  return {
    resource: defineResource<KubeObject>({
      ...{ group, version: version.name, kind: names.kind, plural: names.plural },
      namespaced: scope === "Namespaced",
    }),
    metadataOnly: false,
  };
}
