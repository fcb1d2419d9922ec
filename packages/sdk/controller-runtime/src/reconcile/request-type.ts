import { splitKey } from "@operator-path/informers";
import { parseData, textOfData } from "./plain-data.ts";
import { keyOfRequest, type Request } from "./request.ts";

/** How a controller handles its type of requests. */
export interface RequestType<R> {
  /** Returns the key of a request in the queue. Equal requests have equal keys, others do not. */
  keyOf(request: R): string;
  requestOf(key: string): R;
  /** Returns fields for the log. `kind` is the reconciled kind, if requests name objects. */
  fieldsOf(request: R, kind: string | undefined): Record<string, unknown>;
  /** Returns attributes for the span. */
  attributesOf(request: R): Record<string, string>;
}

/** Requests that name objects of the cluster. */
export const objectRequests: RequestType<Request> = {
  keyOf: keyOfRequest,
  requestOf: splitKey,
  // Go's controllers log their object as { Memcached: { namespace, name } }.
  fieldsOf: (request, kind) => ({ ...(kind ? { [kind]: request } : {}), ...request }),
  attributesOf: ({ namespace, name }) => ({
    ...(namespace ? { "k8s.namespace.name": namespace } : {}),
    "reconcile.name": name,
  }),
};

/** Requests of the author's own type. Equal data is one request, whatever the order of its fields. */
export function dataRequests<R>(): RequestType<R> {
  return {
    keyOf: textOfData,
    requestOf: (key) => parseData(key) as R,
    fieldsOf: (request) => ({ request }),
    attributesOf: (request) => ({ "reconcile.request": textOfData(request) }),
  };
}
