import { matchesLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { text } from "../../../lib/json/read.ts";
import { collectionOf, keyOf } from "../../storage/keys.ts";
import { groupVersion, type ResourceType } from "../../types/resource-type.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";

/** A policy or a binding is invalid, so failurePolicy decides. */
export class PolicyConfigurationError extends Error {
  override readonly name = "PolicyConfigurationError";
}

/** Returns the type of a policy's parameters. @throws PolicyConfigurationError when there is no such kind */
export function paramType(
  paramKind: { apiVersion: string; kind: string },
  context: AdmissionContext,
): ResourceType {
  const { apiVersion, kind } = paramKind;
  const found = context.registry
    .resources()
    .find((type) => type.kind === kind && groupVersion(type) === apiVersion);
  if (found !== undefined) return found;
  const shown = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  throw new PolicyConfigurationError(
    `failed to configure policy: failed to find resource referenced by paramKind: '${shown}, Kind=${kind}'`,
  );
}

/**
 * Returns the parameters of a policy, which is evaluated once for each (CollectParams of k8s.io/apiserver). A
 * policy without parameters is evaluated once, with null. @throws PolicyConfigurationError
 */
export function collectParams(
  type: ResourceType | undefined,
  paramRef: JsonObject | undefined,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): (ApiObject | null)[] {
  if (type === undefined || paramRef === undefined) return [null];
  const namespace = paramNamespace(type, text(paramRef.namespace), attributes.namespace);
  const found = findParams(type, namespace, paramRef, context);
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw new PolicyConfigurationError(
      "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  }
  const apiVersion = groupVersion(type);
  return found.map((param) => (param.apiVersion === apiVersion ? param : { ...param, apiVersion }));
}

function paramNamespace(type: ResourceType, stated: string, requested: string): string {
  if (!type.namespaced) {
    if (stated === "") return "";
    throw new PolicyConfigurationError(
      "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
    );
  }
  const namespace = stated || requested;
  if (namespace !== "") return namespace;
  throw new PolicyConfigurationError(
    "failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}

function findParams(
  type: ResourceType,
  namespace: string,
  { name, selector }: JsonObject,
  { store }: Pick<AdmissionContext, "store">,
): ApiObject[] {
  const collection = collectionOf(type);
  if (text(name) !== "") {
    const found = store.get(collection, keyOf(namespace, text(name)));
    return found === undefined ? [] : [found.object];
  }
  const labels = isJsonObject(selector) ? selector : undefined;
  return store
    .range(collection, namespace === "" ? {} : { prefix: `${namespace}/` })
    .map((stored) => stored.object)
    .filter(({ metadata }) => matchesLabelSelector(labels, metadata.labels));
}
