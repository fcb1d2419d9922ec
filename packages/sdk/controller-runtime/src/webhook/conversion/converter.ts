import type { KubeObject } from "@operator-path/client";

/** Converts objects of one kind between its versions (Go: conversion.Converter). Made by `convertible`. */
export interface Converter {
  readonly group: string;
  readonly kind: string;
  /** "cache.example.com/v1", the hub first. */
  readonly apiVersions: readonly string[];
  /**
   * The object in another version. The one that is given stays as it is.
   *
   * @throws ConversionError naming the object and the versions
   */
  convert(object: KubeObject, apiVersion: string): Promise<KubeObject>;
}

/** An object cannot be converted. The message is for whoever asked the API server for it. */
export class ConversionError extends Error {
  constructor(object: KubeObject, apiVersion: string, why: string, options?: ErrorOptions) {
    const { namespace, name, generateName = "" } = object.metadata ?? {};
    const where = `${namespace ? `${namespace}/` : ""}${name ?? `${generateName}…`}`;
    super(
      `cannot convert ${object.kind} ${where} from ${object.apiVersion} to ${apiVersion}: ${why}`,
      options,
    );
    this.name = "ConversionError";
  }
}

/** The converters of all kinds that one server converts (Go: conversion.Registry). */
export interface ConverterRegistry {
  /** @throws Error when there is one of that kind */
  register(converter: Converter): void;
  get(group: string, kind: string): Converter | undefined;
}

export function createConverterRegistry(): ConverterRegistry {
  const converters = new Map<string, Converter>();
  const keyOf = (group: string, kind: string) => `${kind}.${group}`;
  return {
    register(converter) {
      const key = keyOf(converter.group, converter.kind);
      if (converters.has(key)) {
        throw new Error(`failed to register Converter for GroupKind ${key}: converter already registered`);
      }
      converters.set(key, converter);
    },
    get: (group, kind) => converters.get(keyOf(group, kind)),
  };
}
