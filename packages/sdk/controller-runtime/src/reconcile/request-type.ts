import { splitKey } from "@operator-path/informers";
import { parseData, textOfData } from "./plain-data.ts";
import { keyOfRequest, type Request } from "./request.ts";

/** What a controller has to know of what it is asked about. */
export interface RequestType<R> {
  /** The same text for requests that are equal, and no others: as the queue knows them. */
  keyOf(request: R): string;
  requestOf(key: string): R;
  /** For the log. `kind`: of what is reconciled, when that is an object. */
  fieldsOf(request: R, kind: string | undefined): Record<string, unknown>;
  /** For the span. */
  attributesOf(request: R): Record<string, string>;
}

/** Objects of the cluster. */
export const objectRequests: RequestType<Request> = {
  keyOf: keyOfRequest,
  requestOf: splitKey,
  // { Memcached: { namespace, name } } is how Go's controllers name their object.
  fieldsOf: (request, kind) => ({ ...(kind ? { [kind]: request } : {}), ...request }),
  attributesOf: ({ namespace, name }) => ({
    ...(namespace ? { "k8s.namespace.name": namespace } : {}),
    "reconcile.name": name,
  }),
};

/** Data of the author's own: two are equal when they say the same, in whatever order. */
export function dataRequests<R>(): RequestType<R> {
  return {
    keyOf: textOfData,
    requestOf: (key) => parseData(key) as R,
    fieldsOf: (request) => ({ request }),
    attributesOf: (request) => ({ "reconcile.request": textOfData(request) }),
  };
}
