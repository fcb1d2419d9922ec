import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Schema } from "./schema.ts";

interface KubernetesTypes {
  /** The key of the type that a name means. */
  readonly names: Readonly<Record<string, string>>;
  /** With references to one another, by key: `k8s.io/api/core/v1.PodSpec`. */
  readonly types: Readonly<Record<string, Schema>>;
}

let loaded: KubernetesTypes | undefined;

/** Schemas of what Kubernetes itself is made of; scripts/generate-kubernetes-types.ts tells where they come from. */
function kubernetesTypes(): KubernetesTypes {
  if (loaded === undefined) {
    const file = join(import.meta.dirname, "../../data/kubernetes-types.json.br");
    loaded = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as KubernetesTypes;
  }
  return loaded;
}

const meta = "k8s.io/apimachinery/pkg/apis/meta/v1";

/** The key of one of Kubernetes' types; undefined when nothing is called so. */
export function kubernetesTypeKey(name: string): string | undefined {
  const { names } = kubernetesTypes();
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

export const typeMetaKey = `${meta}.TypeMeta`;
export const objectMetaKey = `${meta}.ObjectMeta`;

/** The schema of a key, with references in it. */
export function kubernetesSchema(key: string): Schema | undefined {
  const { types } = kubernetesTypes();
  return Object.hasOwn(types, key) ? types[key] : undefined;
}

/** For suggestions. */
export function kubernetesTypeNames(): string[] {
  return Object.keys(kubernetesTypes().names);
}
