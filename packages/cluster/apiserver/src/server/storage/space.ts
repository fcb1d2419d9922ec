import { getHeapStatistics } from "node:v8";
import { unknownError } from "../../apimachinery/errors.ts";
import type { StoredObject } from "./stored-object.ts";

/** Limits for the objects of the cluster. */
export interface SpaceLimits {
  /**
   * The most memory of all current objects together, in bytes (an estimate). Above it, creates are rejected.
   * Updates that make an object larger are rejected above 110 % of it. Default: 1 GiB, or a quarter of the
   * heap's limit if that is less.
   */
  quotaBytes?: number;
  /** The largest object, in bytes of JSON. Default: 1.5 MiB, as etcd's `--max-request-bytes`. */
  objectBytes?: number;
}

/** The memory of the current objects. */
export interface Space {
  /**
   * Counts an object instead of another one. @throws ApiStatusError 500 with etcd's message when the limit is
   * exceeded
   */
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
      // Text with many escapes is larger in JSON than in etcd, which stores most kinds as protobuf.
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

/** Returns the memory of an object and its encoding, which is cached. */
function footprint(stored: StoredObject): number {
  return stored.size() + stored.body().length;
}
