import { ApiError, type Transport, type TransportRequest } from "@operator-path/client";
import { type RequestAttributes, requestAttributes } from "./request-attributes.ts";

/** A request with its RBAC attributes, body and status. */
export interface RecordedRequest extends RequestAttributes {
  /** The request body: an object or a patch. undefined for none. */
  readonly body: unknown;
  /** The HTTP status. undefined before the answer, and when the connection failed. */
  status: number | undefined;
  /** The message of the Status that the server answered with. undefined for a success. */
  message: string | undefined;
}

/** A transport that records its requests. */
export interface RequestRecorder {
  /** For `createManager(kubeConfig, { transport })`, or `createClientOn`. */
  readonly transport: Transport;
  /** All requests in order, including the cache's lists and watches, the Lease and Events. */
  readonly requests: readonly RecordedRequest[];
}

/** Records the requests of a transport, for tests of an operator's requests and its RBAC rules. */
export function createRequestRecorder(inner: Transport): RequestRecorder {
  const requests: RecordedRequest[] = [];

  async function recorded<A extends { status: number }>(
    request: TransportRequest,
    send: (request: TransportRequest) => Promise<A>,
  ): Promise<A> {
    const record: RecordedRequest = {
      ...requestAttributes(request),
      ...{ body: request.body, status: undefined, message: undefined },
    };
    requests.push(record);
    try {
      const response = await send(request);
      record.status = response.status;
      return response;
    } catch (error) {
      if (error instanceof ApiError) {
        record.status = error.code;
        record.message = error.message;
      }
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
