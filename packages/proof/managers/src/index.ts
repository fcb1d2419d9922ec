export type { Outcome } from "./run/outcome.ts";
export { type Kind, type ManyOptions, runMany, type Summary } from "./run/run-many.ts";
export { type TrackedCollections, trackCollections } from "./track-collections.ts";
