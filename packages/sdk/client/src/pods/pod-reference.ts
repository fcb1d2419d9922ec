import { UsageError } from "../errors.ts";
import { pathOf } from "../resource.ts";
import { pods } from "../resources.ts";
import type { ConnectRequest, Transport, TransportConnection } from "../transport.ts";

/** Identifies a Pod, or one of its containers. */
export interface PodReference {
  readonly namespace: string;
  readonly name: string;
  /**
   * Default: the Pod's only container. The server rejects a request without it if the Pod has several.
   * `portForward` ignores it.
   */
  readonly container?: string | undefined;
}

/** @throws UsageError when the namespace is missing, or a name is invalid */
export function podPath({ namespace, name }: PodReference, subresource: string): string {
  if (!namespace) throw new UsageError(`the Pod ${JSON.stringify(name)} needs a namespace`);
  return pathOf(pods, { namespace, name, subresource });
}

/** @throws UsageError when the client's transport cannot open WebSockets */
export function connect(client: Transport, request: ConnectRequest): Promise<TransportConnection> {
  if (client.connect === undefined) {
    throw new UsageError("this client's transport has no connect(): exec, attach and portForward need it");
  }
  return client.connect(request);
}
