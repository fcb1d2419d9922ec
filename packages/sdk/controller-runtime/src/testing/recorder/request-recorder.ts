import { ApiError, type Transport, type TransportRequest } from "@operator-path/client";
import { type RequestAttributes, requestAttributes } from "./request-attributes.ts";

export interface RecordedRequest extends RequestAttributes {
  /** What was sent: an object, a patch; undefined for none. */
  readonly body: unknown;
  /** The HTTP status; undefined while there is none, and when the connection failed. */
  status: number | undefined;
}

export interface RequestRecorder {
  /** For `createManager(kubeConfig, { transport })`, or `createClientOn`. */
  readonly transport: Transport;
  /** Everything that was asked of the server, in that order: the cache's lists and watches, the Lease, Events. */
  readonly requests: readonly RecordedRequest[];
}

/** Writes down what goes through a transport: for tests of what an operator does, and of the RBAC that it needs. */
export function createRequestRecorder(inner: Transport): RequestRecorder {
  const requests: RecordedRequest[] = [];

  async function recorded<A extends { status: number }>(
    request: TransportRequest,
    send: (request: TransportRequest) => Promise<A>,
  ): Promise<A> {
    const record: RecordedRequest = { ...requestAttributes(request), body: request.body, status: undefined };
    requests.push(record);
    try {
      const response = await send(request);
      record.status = response.status;
      return response;
    } catch (error) {
      if (error instanceof ApiError) record.status = error.code;
      throw error;
    }
  }

  return {
    requests,
    transport: {
      request: (request) => recorded(request, inner.request),
      stream: (request) => recorded(request, inner.stream),
      close: () => inner.close(),
    },
  };
}
