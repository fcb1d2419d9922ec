/**
 * A schema object of a library that implements Standard Schema, such as zod. The client reads only its types.
 * The interface is declared structurally, as https://standardschema.dev recommends, so that no schema library
 * is a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    /** The library's name: "zod". */
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/**
 * A schema that its library can also write as JSON Schema (Standard JSON Schema; zod since 4.2).
 * controller-gen generates CustomResourceDefinitions from such schemas.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> extends StandardSchema<Input, Output> {
  readonly "~standard": StandardSchema<Input, Output>["~standard"] & {
    readonly jsonSchema: {
      /** Returns the schema of what clients write: fields with defaults may be missing. */
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      /** Returns the schema of what parsing returns: after defaults and transforms. */
      readonly output?: ((options: JsonSchemaOptions) => Record<string, unknown>) | undefined;
    };
  };
}

/** Selects the JSON Schema that a library writes (Standard JSON Schema). */
export interface JsonSchemaOptions {
  /**
   * The dialect, such as "draft-2020-12", "draft-07" or "openapi-3.0". A library throws for an unknown
   * dialect.
   */
  readonly target: string;
  /** Options of one library. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The type of the values that a schema returns, with defaults filled in. */
export type OutputOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];
