import { getHeapStatistics } from "node:v8";
import { unknownError } from "../../apimachinery/errors.ts";
import type { StoredObject } from "./stored-object.ts";

/** How much the objects of the cluster may take. */
export interface SpaceLimits {
  /**
   * Memory for the present objects of all resources together, in bytes (an estimate). Beyond it, creates are refused;
   * updates that make an object larger are refused a tenth later. Default: 1 GiB, or a quarter of the heap's limit
   * if that is less.
   */
  quotaBytes?: number;
  /** The largest object, in bytes of JSON. Default 1.5 MiB, as etcd's `--max-request-bytes`. */
  objectBytes?: number;
}

/** Memory of the present objects. */
export interface Space {
  /** Counts an object in place of another one. @throws ApiStatusError 500, in etcd's words, when it does not fit */
  replace(previous: StoredObject | undefined, current: StoredObject): void;
  free(stored: StoredObject): void;
}

const gibibyte = 1024 ** 3;
const updateReserve = 1.1;

export function createSpace(limits: SpaceLimits = {}): Space {
  const quota = limits.quotaBytes ?? Math.min(gibibyte, getHeapStatistics().heap_size_limit / 4);
  const { objectBytes = 1.5 * 1024 * 1024 } = limits;
  let used = 0;
  return {
    replace(previous, current) {
      const before = previous === undefined ? 0 : footprint(previous);
      const after = footprint(current);
      // Text with many escapes takes more as JSON than in etcd, which has most kinds in protobuf.
      if (Math.min(current.size(), current.body().length) > objectBytes) {
        throw unknownError("etcdserver: request is too large");
      }
      const most = previous === undefined ? quota : quota * updateReserve;
      if (after > before && used + after - before > most) {
        throw unknownError("etcdserver: mvcc: database space exceeded");
      }
      used += after - before;
    },
    free(stored) {
      used -= footprint(stored);
    },
  };
}

/** The object and its encoding, which is kept too. */
function footprint(stored: StoredObject): number {
  return stored.size() + stored.body().length;
}
