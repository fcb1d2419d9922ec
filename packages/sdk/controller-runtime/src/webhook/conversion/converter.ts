import type { KubeObject } from "@operator-path/client";

/** Converts objects of one kind between versions. Made by `convertible`. Go: conversion.Converter. */
export interface Converter {
  readonly group: string;
  readonly kind: string;
  /** The versions, such as "cache.example.com/v1", with the hub first. */
  readonly apiVersions: readonly string[];
  /**
   * Returns the object in another version. Does not change its argument.
   *
   * @throws ConversionError naming the object and the versions
   */
  convert(object: KubeObject, apiVersion: string): Promise<KubeObject>;
}

/** An object cannot be converted. The client of the API server sees the message. */
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

/** The converters of one server, by kind. Go: conversion.Registry. */
export interface ConverterRegistry {
  /**
   * Adds a converter.
   *
   * @throws Error when the kind already has one
   */
  register(converter: Converter): void;
  get(group: string, kind: string): Converter | undefined;
}

/** Creates an empty registry of converters. Go: conversion.NewRegistry. */
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
