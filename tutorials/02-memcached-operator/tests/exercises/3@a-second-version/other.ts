import type { Memcached as MemcachedV1alpha1 } from "../v1alpha1/memcached.types.ts";
import type { Memcached } from "./memcached.types.ts";

/** Keeps everything that v1alpha1 lacks as JSON, under another name. */
const key = "cache.example.com/of-v1";

export function toHub(old: MemcachedV1alpha1): Memcached {
  const metadata = structuredClone(old.metadata);
  const kept = readKept(metadata?.annotations?.[key]);
  if (kept !== undefined) delete metadata?.annotations?.[key];
  const { size, memory } = old.spec;
  return {
    ...old,
    metadata,
    spec: {
      ...kept,
      replicas: size,
      ...(memory === undefined ? {} : { memory }),
    },
  };
}

function readKept(text = ""): Pick<Memcached["spec"], "whenFull"> | undefined {
  const known = /^{"whenFull":"(Evict|Error)"}$/.exec(text)?.[1];
  return known === "Evict" || known === "Error" ? { whenFull: known } : undefined;
}

export function fromHub(hub: Memcached): MemcachedV1alpha1 {
  const { replicas: size, memory, ...others } = hub.spec;
  const metadata = structuredClone(hub.metadata) ?? {};
  if (Object.keys(others).length > 0)
    metadata.annotations = { ...metadata.annotations, [key]: JSON.stringify(others) };
  return { ...hub, metadata, spec: { size, ...(memory === undefined ? {} : { memory }) } };
}
