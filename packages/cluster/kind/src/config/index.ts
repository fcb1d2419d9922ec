export { KindError } from "../errors/kind-error.ts";
export { parseKindConfig, readKindConfig } from "./read-config.ts";
export type { KindClusterConfig, KindNode, ReadKindConfig } from "./schema.ts";
