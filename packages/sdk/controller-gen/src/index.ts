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
export {
  customResourceDefinition,
  type DefinitionOptions,
  definitionFile,
  SchemaError,
} from "./json-schema/definition.ts";
export { constantOf } from "./object/resource-module.ts";
export { formatProblem, OptionError, type Problem } from "./problem.ts";
export { camelCase, isReservedWord } from "./typescript-text.ts";
export { controllerToolsVersion } from "./version.ts";
