import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { describeOptions, type WriteOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { AdmissionAttributes } from "./admission.ts";
import type { Admission } from "./chain.ts";

/** What admission is asked about a write: the options of an update are UpdateOptions, of a patch too. */
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

/** What admission is asked about a deletion. */
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

/** What admission is asked about a connection. @param object the options of the connection: PodExecOptions, … */
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

/** A Namespace is in none, but counts as its own. */
function admissionNamespace({ type, namespace }: Scope, name: string): string {
  if (type.group === "" && type.plural === "namespaces") return name;
  return type.namespaced ? namespace : "";
}

/** Asks for something that is not stored: a Binding, an Eviction, a review. The object may be changed in place. */
export async function admitUnstored(
  { admission }: { readonly admission: Admission },
  attributes: AdmissionAttributes,
): Promise<void> {
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
