import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { isPanic } from "../../controller/error-kinds.ts";
import { ConversionError, type Converter } from "./converter.ts";
import { convertedMetadata } from "./metadata.ts";

/**
 * One version, and how it becomes the hub's and is made from it (Go: conversion.Convertible). Both functions are given an
 * object of their own, and return spec, status and what else there is: apiVersion and kind are filled in; metadata too,
 * unless it returns some, to change labels or annotations.
 *
 * What the hub cannot say should be kept in an annotation: whatever is stored in one version has to come back from another.
 */
export interface Spoke<Hub extends KubeObject, T extends KubeObject> {
  resource: Resource<T>;
  toHub(object: NoInfer<T>): NoInfer<Hub> | Promise<NoInfer<Hub>>;
  fromHub(hub: NoInfer<Hub>): NoInfer<T> | Promise<NoInfer<T>>;
}

export interface ConvertibleOptions<Hub extends KubeObject, Spokes extends readonly KubeObject[]> {
  /** The version that all others are converted to and from. */
  hub: Resource<Hub>;
  spokes: { [Index in keyof Spokes]: Spoke<Hub, Spokes[Index]> };
}

/**
 * Says how the versions of a kind become one another: each to the hub, and from there to any other (Go:
 * conversion.NewHubSpokeConverter).
 *
 * @throws TypeError when a spoke is of another kind, or a version is there twice
 */
export function convertible<Hub extends KubeObject, const Spokes extends readonly KubeObject[]>({
  hub,
  spokes: given,
}: ConvertibleOptions<Hub, Spokes>): Converter {
  // By version; which is whose type, only the caller's compiler knows.
  const spokes = given as readonly Spoke<Hub, KubeObject>[];
  const { group, kind } = hub;
  const hubVersion = apiVersionOf(hub);
  const byVersion = new Map<string, Spoke<Hub, KubeObject>>();
  for (const spoke of spokes) {
    const version = apiVersionOf(spoke.resource);
    if (spoke.resource.group !== group || spoke.resource.kind !== kind) {
      throw new TypeError(
        `${spoke.resource.kind} of ${version} is no version of ${kind} of ${hubVersion}: a spoke has the hub's group and kind`,
      );
    }
    if (version === hubVersion || byVersion.has(version)) {
      throw new TypeError(
        `${kind} of ${version} is there twice: give each version once, as the hub or as a spoke`,
      );
    }
    byVersion.set(version, spoke);
  }
  const apiVersions = [hubVersion, ...byVersion.keys()];

  async function step<T extends KubeObject>(
    object: KubeObject,
    apiVersion: string,
    convertOne: () => T | Promise<T>,
  ): Promise<T> {
    let converted: T;
    try {
      converted = await convertOne();
    } catch (cause) {
      const why = isPanic(cause) ? "internal error occurred during conversion" : (cause as Error).message;
      throw new ConversionError(object, apiVersion, why, { cause });
    }
    if (typeof converted !== "object" || converted === null) {
      throw new ConversionError(object, apiVersion, "the conversion returned no object");
    }
    const metadata = convertedMetadata(object.metadata, converted);
    if (typeof metadata === "string") throw new ConversionError(object, apiVersion, metadata);
    return { ...converted, apiVersion, kind, metadata };
  }

  return {
    ...{ group, kind, apiVersions },
    async convert(object, apiVersion) {
      const from = object.apiVersion ?? "";
      const unknown = [from, apiVersion].find((version) => !apiVersions.includes(version));
      if (unknown !== undefined || object.kind !== kind) {
        const why = `not convertible; there are conversions of ${kind} between ${apiVersions.join(", ")}`;
        throw new ConversionError(object, apiVersion, why);
      }
      if (from === apiVersion) {
        throw new ConversionError(object, apiVersion, "conversion is not allowed between the same version");
      }
      const source = byVersion.get(from);
      const target = byVersion.get(apiVersion);
      const own = structuredClone(object);
      // An object of the hub's version is one of the hub's type.
      const middle = source ? await step(object, hubVersion, () => source.toHub(own)) : (own as Hub);
      return target
        ? step({ ...middle, apiVersion: from }, apiVersion, () => target.fromHub(middle))
        : middle;
    },
  };
}
