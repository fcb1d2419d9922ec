export { parseKindConfig, readKindConfig } from "./read-config.ts";
export type { KindClusterConfig, KindNode } from "./schema.ts";
