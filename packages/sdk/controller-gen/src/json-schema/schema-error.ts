/** A schema that cannot become a CustomResourceDefinition. The message has a line for each field, with what to do. */
export class SchemaError extends Error {
  override name = "SchemaError";
}
