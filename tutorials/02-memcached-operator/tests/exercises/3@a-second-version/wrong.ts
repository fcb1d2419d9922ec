import type { Memcached as MemcachedV1alpha1 } from "../v1alpha1/memcached.types.ts";
import type { Memcached } from "./memcached.types.ts";

/** Forgets whenFull, which v1alpha1 does not have. */
export function toHub({ spec: { size, ...rest }, status }: MemcachedV1alpha1): Memcached {
  return { spec: { ...rest, replicas: size }, status };
}

export function fromHub({ spec: { replicas, whenFull, ...rest }, status }: Memcached): MemcachedV1alpha1 {
  return { spec: { ...rest, size: replicas }, status };
}
