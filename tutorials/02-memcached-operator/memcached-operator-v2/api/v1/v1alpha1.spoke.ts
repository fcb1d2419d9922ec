import type { Memcached as MemcachedV1alpha1 } from "../v1alpha1/memcached.types.ts";
import type { Memcached } from "./memcached.types.ts";

/** v1alpha1 has no field for whenFull, so an annotation keeps it there. */
const whenFullAnnotation = "cache.example.com/when-full";

export function toHub({ metadata, spec, status }: MemcachedV1alpha1): Memcached {
  const { size, ...rest } = spec;
  const { [whenFullAnnotation]: whenFull, ...annotations } = metadata?.annotations ?? {};
  // Any other text stays an annotation.
  if (whenFull !== "Evict" && whenFull !== "Error")
    return { metadata, spec: { ...rest, replicas: size }, status };
  return { metadata: { ...metadata, annotations }, spec: { ...rest, replicas: size, whenFull }, status };
}

export function fromHub({ metadata, spec, status }: Memcached): MemcachedV1alpha1 {
  const { replicas, whenFull, ...rest } = spec;
  if (whenFull === undefined) return { metadata, spec: { ...rest, size: replicas }, status };
  const annotations = { ...metadata?.annotations, [whenFullAnnotation]: whenFull };
  return { metadata: { ...metadata, annotations }, spec: { ...rest, size: replicas }, status };
}
