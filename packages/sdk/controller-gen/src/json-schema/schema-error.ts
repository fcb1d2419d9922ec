/** A schema of which no CustomResourceDefinition can be made. The message has a line for each field, with the way out. */
export class SchemaError extends Error {
  override name = "SchemaError";
}
