export { type OutputFile, staleFiles, writeFiles } from "./command/files.ts";
export {
  type GeneratorName,
  type GeneratorOptions,
  type Options,
  type Output,
  parseOptions,
} from "./command/options.ts";
export { runControllerGen, type Surroundings } from "./command/run.ts";
export { pluralize } from "./crd/plural.ts";
export { type ExternalDefinition, type ExternalSchema, readDefinitions } from "./external/definitions.ts";
export { type TypeModule, typeModules } from "./external/type-module.ts";
export { type Generated, generate } from "./generate.ts";
export { camelCase, isReservedWord } from "./identifiers.ts";
export {
  customResourceDefinition,
  type DefinitionOptions,
  definitionFile,
} from "./json-schema/definition.ts";
export { SchemaError } from "./json-schema/schema-error.ts";
export { constantOf } from "./object/resource-module.ts";
export { OptionError } from "./option-error.ts";
export { formatProblem, type Problem } from "./problem.ts";
export { controllerToolsVersion } from "./version.ts";
