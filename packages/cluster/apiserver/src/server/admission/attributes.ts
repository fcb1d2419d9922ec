import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { describeOptions, type WriteOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { AdmissionAttributes } from "./admission.ts";
import type { Admission } from "./chain.ts";

/** Returns the attributes of a write. A patch has UpdateOptions, like an update. */
export function writeAttributes(
  scope: Scope,
  operation: "CREATE" | "UPDATE",
  object: ApiObject,
  old: ApiObject | undefined,
  options: WriteOptions,
): AdmissionAttributes {
  const { type, subresource, request } = scope;
  const name = operation === "UPDATE" || subresource !== "" ? scope.name : (object.metadata.name ?? "");
  return {
    operation,
    type,
    subresource,
    namespace: admissionNamespace(scope, name),
    name,
    object,
    old,
    options: describeOptions(operation === "CREATE" ? "CreateOptions" : "UpdateOptions", options),
    dryRun: options.dryRun,
    user: request.user,
    request,
  };
}

/** Returns the attributes of a deletion. */
export function deleteAttributes(
  scope: Scope,
  old: ApiObject,
  options: JsonObject,
  dryRun: boolean,
): AdmissionAttributes {
  const { type, request } = scope;
  const { name = "", namespace = "" } = old.metadata;
  return {
    operation: "DELETE",
    type,
    subresource: "",
    namespace: admissionNamespace({ ...scope, namespace }, name),
    name,
    object: undefined,
    old,
    options,
    dryRun,
    user: request.user,
    request,
  };
}

/** Returns the attributes of a connection. @param object its options: PodExecOptions, … */
export function connectAttributes(scope: Scope, object: JsonObject): AdmissionAttributes {
  const { type, subresource, name, request } = scope;
  return {
    operation: "CONNECT",
    type,
    subresource,
    namespace: admissionNamespace(scope, name),
    name,
    object: { metadata: {}, ...object } as unknown as ApiObject,
    old: undefined,
    options: {},
    dryRun: false,
    user: request.user,
    request,
  };
}

/** Returns the namespace for admission. A Namespace has no namespace, but counts as its own. */
function admissionNamespace({ type, namespace }: Scope, name: string): string {
  if (type.group === "" && type.plural === "namespaces") return name;
  return type.namespaced ? namespace : "";
}

/** Admits an object that is not stored: a Binding, an Eviction, a review. Plugins may change it in place. */
export async function admitUnstored(
  { admission }: { readonly admission: Admission },
  attributes: AdmissionAttributes,
): Promise<void> {
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
