import type { Memcached as MemcachedV1alpha1 } from "../v1alpha1/memcached.types.ts";
import type { Memcached, MemcachedSpec } from "./memcached.types.ts";

/** v1alpha1 has no field for whenFull, so an annotation keeps it there. */
const whenFullAnnotation = "cache.example.com/when-full";

export function toHub({ metadata, spec, status }: MemcachedV1alpha1): Memcached {
  const { [whenFullAnnotation]: whenFull, ...annotations } = metadata?.annotations ?? {};
  const { size, ...rest } = spec;
  return {
    metadata: { ...metadata, annotations },
    spec: {
      ...rest,
      replicas: size,
      ...(whenFull !== undefined && { whenFull: whenFull as MemcachedSpec["whenFull"] }),
    },
    status,
  };
}

export function fromHub({ metadata, spec, status }: Memcached): MemcachedV1alpha1 {
  const { replicas, whenFull, ...rest } = spec;
  const annotations = {
    ...metadata?.annotations,
    ...(whenFull !== undefined && { [whenFullAnnotation]: whenFull }),
  };
  return { metadata: { ...metadata, annotations }, spec: { ...rest, size: replicas }, status };
}
