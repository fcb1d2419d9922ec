export { createDefaulter } from "./apply-defaults.ts";
export { createValidator, type ValidateOptions, type Validator } from "./create-validator.ts";
export type { ResourceSchema } from "./schema.ts";
