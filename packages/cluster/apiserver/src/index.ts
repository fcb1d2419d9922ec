export type { Status, StatusCause } from "./errors.ts";
export { ApiStatusError } from "./errors.ts";
