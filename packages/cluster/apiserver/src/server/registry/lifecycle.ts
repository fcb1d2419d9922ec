import { forbidden, notFound } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { Scope } from "./scope.ts";
import type { StrategyContext } from "./strategy.ts";

/**
 * Rejects an object if its kind cannot be created now, or if its namespace does not exist or is being deleted
 * (admission plugin NamespaceLifecycle).
 * @throws ApiStatusError 403 or 404
 */
export function checkMayBeCreated(context: StrategyContext, scope: Scope, object: ApiObject): void {
  context.kindOf(scope.type).strategy.checkMayBeCreated?.(object, context, scope);
  checkNamespaceIsOpen(context, scope, object);
}

function checkNamespaceIsOpen(
  { store }: Pick<StrategyContext, "store">,
  { type, namespace }: Scope,
  object: ApiObject,
): void {
  if (!type.namespaced) return;
  const found = store.get("namespaces", namespace);
  if (found === undefined) throw notFound("", "namespaces", namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const { name, generateName } = object.metadata;
  const error = forbidden(
    type.group,
    type.plural,
    name || String(generateName ?? ""),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  throw error;
}
