import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Schema } from "./schema.ts";

interface KubernetesTypes {
  /** The key of each type by its name. */
  readonly names: Readonly<Record<string, string>>;
  /** Schemas with references, by key: `k8s.io/api/core/v1.PodSpec`. */
  readonly types: Readonly<Record<string, Schema>>;
}

let loaded: KubernetesTypes | undefined;

/** Reads the schemas of Kubernetes' own types. scripts/generate-kubernetes-types.ts writes them. */
function kubernetesTypes(): KubernetesTypes {
  if (loaded === undefined) {
    // The package's own folder: a bundled module is in another folder than its source.
    const manifest = createRequire(import.meta.url).resolve("@operator-path/controller-gen/package.json");
    const file = join(dirname(manifest), "data/kubernetes-types.json.br");
    loaded = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as KubernetesTypes;
  }
  return loaded;
}

const meta = "k8s.io/apimachinery/pkg/apis/meta/v1";

/** Returns the key of a Kubernetes type, or undefined if there is no type with the name. */
export function kubernetesTypeKey(name: string): string | undefined {
  const { names } = kubernetesTypes();
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

export const typeMetaKey = `${meta}.TypeMeta`;
export const objectMetaKey = `${meta}.ObjectMeta`;

/** Returns the schema of a key, or undefined. It contains references. */
export function kubernetesSchema(key: string): Schema | undefined {
  const { types } = kubernetesTypes();
  return Object.hasOwn(types, key) ? types[key] : undefined;
}

/** Returns the names of all Kubernetes types, for suggestions. */
export function kubernetesTypeNames(): string[] {
  return Object.keys(kubernetesTypes().names);
}
