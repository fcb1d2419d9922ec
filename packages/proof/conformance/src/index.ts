export { type ConformanceOptions, conformance } from "./conformance.ts";
