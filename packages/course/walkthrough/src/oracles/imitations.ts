import {
  type Deployment,
  deployments,
  type KubeObject,
  type Pod,
  pods,
  type Resource,
  type Service,
  services,
} from "@operator-path/client";

/** How decoys of a kind are made. */
export interface Imitation<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** Returns a decoy: the same name and labels, without an effect. */
  imitate(original: T): T;
  /** Returns the status of the decoy, for kinds whose status no controller writes. */
  status?(original: T): object;
}

function metadataOf({ metadata }: KubeObject, namespace: string): KubeObject["metadata"] {
  const { name, labels } = metadata ?? {};
  return { namespace, ...(name && { name }), ...(labels && { labels }) };
}

/** No scheduler of this name exists, so the decoy has no running container. Its status is a copy. */
const schedulerName = "operator-path-decoy";

/** Returns how to make decoys in a namespace of the kinds that operators list. */
export function imitations(namespace: string): {
  readonly ofPods: Imitation<Pod>;
  readonly ofDeployments: Imitation<Deployment>;
  readonly ofServices: Imitation<Service>;
} {
  const ofPods: Imitation<Pod> = {
    resource: pods,
    imitate: (pod) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: metadataOf(pod, namespace),
      spec: {
        schedulerName,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: (pod.spec?.containers ?? []).map(({ name, image }) => ({
          name,
          ...(image !== undefined && { image }),
        })),
      },
    }),
    status: ({ status }) => {
      const { phase, conditions, containerStatuses, podIP, podIPs } = status ?? {};
      return { phase, conditions, containerStatuses, podIP, podIPs };
    },
  };
  const ofDeployments: Imitation<Deployment> = {
    resource: deployments,
    imitate: (deployment) => {
      const labels = { "operator-path/decoy": "of-a-deployment" };
      return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: metadataOf(deployment, namespace),
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "busybox" }] } },
        },
      };
    },
  };
  const ofServices: Imitation<Service> = {
    resource: services,
    imitate: (service) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: metadataOf(service, namespace),
      // A Service without a selector has no endpoints.
      spec: { ports: (service.spec?.ports ?? []).map(({ name, port }) => ({ port, ...(name && { name }) })) },
    }),
  };
  return { ofPods, ofDeployments, ofServices };
}
