import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { isPanic } from "../../controller/error-kinds.ts";
import { ConversionError, type Converter } from "./converter.ts";
import { convertedMetadata } from "./metadata.ts";

/**
 * One version and its conversions to and from the hub. Both functions receive a copy and return spec, status
 * and other fields. apiVersion and kind are filled in, and so is metadata, unless the function returns some
 * to change labels or annotations. Go: conversion.Convertible.
 *
 * Store what the hub cannot represent in an annotation: a round trip through another version must not lose
 * data.
 */
export interface Spoke<Hub extends KubeObject, T extends KubeObject> {
  resource: Resource<T>;
  toHub(object: NoInfer<T>): NoInfer<Hub> | Promise<NoInfer<Hub>>;
  fromHub(hub: NoInfer<Hub>): NoInfer<T> | Promise<NoInfer<T>>;
}

/** The hub and the spokes of `convertible`. */
export interface ConvertibleOptions<Hub extends KubeObject, Spokes extends readonly KubeObject[]> {
  /** The version through which all others are converted. */
  hub: Resource<Hub>;
  spokes: { [Index in keyof Spokes]: Spoke<Hub, Spokes[Index]> };
}

/**
 * Creates a converter between the versions of a kind. It converts each version to the hub, and from the hub
 * to any other. Go: conversion.NewHubSpokeConverter.
 *
 * @throws TypeError when a spoke has another kind, or a version appears twice
 */
export function convertible<Hub extends KubeObject, const Spokes extends readonly KubeObject[]>({
  hub,
  spokes: given,
}: ConvertibleOptions<Hub, Spokes>): Converter {
  // Stored by version. Only the caller's compiler knows the type of each.
  const spokes = given as readonly Spoke<Hub, KubeObject>[];
  const { group, kind } = hub;
  const hubVersion = apiVersionOf(hub);
  const byVersion = new Map<string, Spoke<Hub, KubeObject>>();
  for (const spoke of spokes) {
    const version = apiVersionOf(spoke.resource);
    if (spoke.resource.group !== group || spoke.resource.kind !== kind) {
      throw new TypeError(
        `${spoke.resource.kind} of ${version} is not a version of ${kind} of ${hubVersion}: a spoke must have the hub's group and kind`,
      );
    }
    if (version === hubVersion || byVersion.has(version)) {
      throw new TypeError(
        `${kind} of ${version} appears twice: list each version once, as the hub or as a spoke`,
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
      throw new ConversionError(object, apiVersion, "the conversion did not return an object");
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
      // An object of the hub's version has the hub's type.
      const middle = source ? await step(object, hubVersion, () => source.toHub(own)) : (own as Hub);
      return target
        ? step({ ...middle, apiVersion: from }, apiVersion, () => target.fromHub(middle))
        : middle;
    },
  };
}
