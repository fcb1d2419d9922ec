/**
 * A schema object of a library that implements Standard Schema, such as zod. Only its types are read here. The interface is
 * declared structurally, as https://standardschema.dev asks, so that no schema library is a dependency.
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
 * A schema that its library can also write as JSON Schema (Standard JSON Schema; zod since 4.2). controller-gen makes
 * CustomResourceDefinitions of them.
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

/** Says which JSON Schema a library is to write (Standard JSON Schema). */
export interface JsonSchemaOptions {
  /** The dialect: "draft-2020-12", "draft-07", "openapi-3.0". A library throws for one that it does not know. */
  readonly target: string;
  /** Options that only one library knows. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The type of the values that a schema returns, with defaults filled in. */
export type OutputOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];
