import type { ConnectRequest, Transport, TransportConnection } from "../transport.ts";
import { UsageError } from "../usage-error.ts";

/** @throws UsageError when the client's transport opens no WebSockets */
export function connect(client: Transport, request: ConnectRequest): Promise<TransportConnection> {
  if (client.connect === undefined) {
    throw new UsageError("this client's transport has no connect(): exec, attach and portForward need it");
  }
  return client.connect(request);
}
