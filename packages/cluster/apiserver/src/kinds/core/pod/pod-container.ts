import { badRequest, internalError, notFound } from "../../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";
import { find } from "../../../server/endpoints/get.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import type { Store } from "../../../server/storage/store.ts";
import type { ContainerReference, NodeConnection } from "../../../server/streaming/node-connection.ts";

/** The Pod of a request, and the container that it addresses. */
interface PodContainer {
  pod: ApiObject;
  reference: ContainerReference;
}

/** The parts of the server that requests to a Pod's node use. */
export interface NodeAccess {
  readonly store: Store;
  readonly connectNode: (nodeName: string) => NodeConnection | undefined;
}

/** Returns the Pod of a request. @throws ApiStatusError 404 */
export function findPod(context: NodeAccess, scope: Scope): ApiObject {
  return find(context, scope).object;
}

/**
 * Returns the container of a request.
 * @param container name from the client, or ""
 * @throws ApiStatusError 400 or 404
 */
export function findContainer(context: NodeAccess, scope: Scope, container: string): PodContainer {
  const pod = findPod(context, scope);
  const spec = isJsonObject(pod.spec) ? pod.spec : {};
  const names = [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap(containerNames);
  return { pod, reference: { namespace: scope.namespace, pod: scope.name, container: choose(spec, names) } };

  function choose({ containers }: JsonObject, all: string[]): string {
    if (container !== "") {
      if (all.includes(container)) return container;
      throw badRequest(`container ${container} is not valid for pod ${scope.name}`);
    }
    const [only, ...others] = containerNames(containers);
    if (only !== undefined && others.length === 0) return only;
    throw badRequest(
      `a container name must be specified for pod ${scope.name}, choose one of: [${all.join(" ")}]`,
    );
  }
}

function containerNames(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map(({ name }) => String(name)) : [];
}

export function nodeNameOf(pod: ApiObject): string {
  const { nodeName } = pod.spec as JsonObject;
  return typeof nodeName === "string" ? nodeName : "";
}

/**
 * Returns the connection to a node. @throws ApiStatusError 404 if the node does not exist, 500 if it is
 * unreachable
 */
export function connectionTo(context: NodeAccess, nodeName: string): NodeConnection {
  const connection = context.connectNode(nodeName);
  // A real server says "pods" here as well, because the request is about a Pod.
  if (connection === undefined && context.store.get("nodes", nodeName) === undefined) {
    throw notFound("", "pods", nodeName);
  }
  if (connection === undefined)
    throw internalError(`error dialing backend: no kubelet answers on node ${JSON.stringify(nodeName)}`);
  return connection;
}
