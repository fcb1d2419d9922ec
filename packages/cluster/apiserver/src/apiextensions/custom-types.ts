import { createHash } from "node:crypto";
import { compareVersions } from "../apimachinery/version.ts";
import type { JsonValue } from "../lib/json/json.ts";
import type { TypeRegistry } from "../server/types/registry.ts";
import type { SubresourceType } from "../server/types/resource-type.ts";
import type {
  CustomResourceDefinition,
  CustomResourceType,
  CustomVersionSpec,
} from "./custom-resource-definition.ts";

/** In the order of a real server's discovery of custom resources. */
const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const SUBRESOURCE_VERBS = ["get", "patch", "update"];

/** Serves the versions of a definition. Replaces those that were served for it before. */
export function addCustomResource(
  registry: Pick<TypeRegistry, "addCustomTypes">,
  crd: CustomResourceDefinition,
): void {
  const { group, names } = crd.spec;
  registry.addCustomTypes(`${names.plural}.${group}`, customTypes(crd));
}

/** Returns the types of a definition's served versions, by kube-aware version priority. */
function customTypes(crd: CustomResourceDefinition): CustomResourceType[] {
  const { group, names, scope, versions, conversion = { strategy: "None" } } = crd.spec;
  const stored = versions.find(({ storage }) => storage)?.name ?? "";
  const storageVersionHash = hashOfStorageVersion(`${group}/${stored}/${names.kind}`);
  const typeOf = (spec: CustomVersionSpec, unserved: readonly CustomResourceType[]): CustomResourceType => {
    const version = spec.name;
    const subresourceTypes: SubresourceType[] = [];
    if (spec.subresources?.status !== undefined) {
      subresourceTypes.push({
        name: "status",
        group,
        version,
        kind: names.kind,
        verbs: SUBRESOURCE_VERBS,
      });
    }
    if (spec.subresources?.scale !== undefined) {
      subresourceTypes.push({
        name: "scale",
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs: SUBRESOURCE_VERBS,
      });
    }
    return {
      group,
      version,
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: scope === "Namespaced",
      verbs: VERBS,
      subresources: subresourceTypes.map(({ name }) => name),
      subresourceTypes,
      storage: spec.storage,
      storageVersionHash,
      ...(spec.deprecated === true
        ? { deprecationWarning: spec.deprecationWarning ?? deprecationWarning(crd, version) }
        : {}),
      custom: {
        definition: `${names.plural}.${group}`,
        schema: spec.schema?.openAPIV3Schema,
        ...(spec.subresources?.scale === undefined ? {} : { scale: spec.subresources.scale }),
        spec,
        versions,
        unserved,
        conversion,
        hash: hash({ group, names, scope, spec } as unknown as JsonValue),
      },
    };
  };
  const sorted = [...versions].sort((a, b) => compareVersions(a.name, b.name));
  const unserved = sorted.filter(({ served }) => !served).map((spec) => typeOf(spec, []));
  return sorted.filter(({ served }) => served).map((spec) => typeOf(spec, unserved));
}

/**
 * Returns `example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget`, naming a better version if
 * one is served.
 */
function deprecationWarning({ spec }: CustomResourceDefinition, version: string): string {
  const { group, names, versions } = spec;
  const [better] = versions
    .filter((other) => other.served && other.deprecated !== true && compareVersions(other.name, version) < 0)
    .sort((a, b) => compareVersions(a.name, b.name));
  const advice = better === undefined ? "" : `; use ${group}/${better.name} ${names.kind}`;
  return `${group}/${version} ${names.kind} is deprecated${advice}`;
}

/**
 * Returns the hash that tells clients in which version objects are stored
 * (apiserver/pkg/endpoints/discovery).
 */
function hashOfStorageVersion(kind: string): string {
  return createHash("sha256").update(kind).digest().subarray(0, 8).toString("base64");
}

function hash(value: JsonValue): string {
  return createHash("sha512").update(JSON.stringify(value)).digest("hex").toUpperCase();
}
