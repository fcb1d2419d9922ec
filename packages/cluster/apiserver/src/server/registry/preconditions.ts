import { conflict, invalid } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { checkNamespace, keepSystemFields } from "./metadata.ts";
import type { Scope } from "./scope.ts";
import type { Strategy } from "./strategy.ts";

type UpdateStrategy = Pick<Strategy, "unconditionalUpdate">;

/** Checks that the stored object is the one that an update is meant for. @throws ApiStatusError 409 or 422 */
export function checkPreconditions(
  scope: Scope,
  { unconditionalUpdate }: UpdateStrategy,
  draft: ApiObject,
  old: ApiObject,
): void {
  const { uid, resourceVersion } = draft.metadata;
  const isAnother = uid !== undefined && uid !== "" && uid !== old.metadata.uid;
  // Only a PUT contains the whole object, including its UID.
  if (isAnother && scope.request.method === "PUT") throw uidMismatch(scope, uid, old.metadata.uid ?? "");
  checkResourceVersion(scope, unconditionalUpdate, resourceVersion, old);
  if (isAnother) throw uidChanged(scope, uid);
}

/**
 * Restores system fields that webhooks have changed, or refuses the change as if a client had made it.
 * @throws ApiStatusError 400, 409 or 422
 */
export function resetSystemFields(
  scope: Scope,
  { unconditionalUpdate }: UpdateStrategy,
  draft: ApiObject,
  old: ApiObject,
): void {
  checkNamespace(draft, scope);
  const { name = "", uid, resourceVersion, deletionTimestamp } = draft.metadata;
  checkResourceVersion(scope, unconditionalUpdate, resourceVersion, old);
  if (uid && uid !== old.metadata.uid) throw uidChanged(scope, uid);
  keepSystemFields(draft.metadata, old.metadata);
  // Validation will reject these: a missing name, and a deletion that was not requested.
  draft.metadata.name = name;
  if (deletionTimestamp) draft.metadata.deletionTimestamp ??= deletionTimestamp;
}

function uidChanged({ type, name }: Scope, uid: string) {
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  return invalid(type.group, type.kind, name, [
    { reason: "FieldValueInvalid", message, field: "metadata.uid" },
  ]);
}

function checkResourceVersion(
  scope: Scope,
  unconditionalUpdate: boolean | undefined,
  resourceVersion: string | undefined,
  old: ApiObject,
): void {
  const { type, name } = scope;
  if (resourceVersion === undefined || resourceVersion === "" || resourceVersion === "0") {
    if (unconditionalUpdate !== false) return;
    throw invalid(type.group, type.plural, name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      type.group,
      type.plural,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
}

/** Returns the error of a real server's storage layer, including the key in its etcd. */
export function uidMismatch({ type, namespace, name }: Scope, stated: string, actual: string) {
  const path = [type.custom === undefined ? [] : [type.group], type.plural, namespace || [], name].flat();
  const why = `Precondition failed: UID in precondition: ${stated}, UID in object meta: ${actual}`;
  return conflict(
    type.group,
    type.plural,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path.join("/")}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}
