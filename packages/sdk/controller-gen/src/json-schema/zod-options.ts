import { unrepresentable } from "./json-schema.ts";

/** The parts of zod's schema objects that this file reads. With these types, zod is not a dependency. */
interface ZodNode {
  readonly zodSchema: {
    readonly _zod: {
      readonly def: {
        readonly pattern?: RegExp;
        readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: RegExp } } }[];
      };
    };
  };
  readonly jsonSchema: { pattern?: string; allOf?: { pattern?: string }[] };
}

/**
 * Options of zod's JSON Schema writer. Without them, zod drops the flags of regular expressions. For a type
 * that it cannot write it throws an error without the path of the field.
 */
export const zodOptions: Readonly<Record<string, unknown>> = {
  unrepresentable: ({ message }: { readonly message: string }) => ({ [unrepresentable]: message }),
  override: ({ zodSchema, jsonSchema }: ZodNode): void => {
    const { pattern, checks = [] } = zodSchema._zod.def;
    for (const expression of [pattern, ...checks.map((check) => check._zod.def.pattern)]) {
      const flags = expression?.flags.replace(/[^ims]/g, "");
      if (expression === undefined || !flags) continue;
      for (const part of [jsonSchema, ...(jsonSchema.allOf ?? [])]) {
        // RE2 has these flags within the expression.
        if (part.pattern === expression.source) part.pattern = `(?${flags})${expression.source}`;
      }
    }
  },
};
