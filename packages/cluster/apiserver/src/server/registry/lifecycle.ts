import { definitionCollection } from "../../apiextensions/definition/status.ts";
import { forbidden, notFound, pathNotFound } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { Store } from "../storage/store.ts";
import type { Scope } from "./scope.ts";

interface LifecycleContext {
  readonly store: Pick<Store, "get">;
}

/**
 * Nothing is created in a namespace that does not exist, or is going (admission plugin NamespaceLifecycle), and no custom
 * resource whose definition is going (forbidCreateAdmission of apiextensions-apiserver) or gone.
 * @throws ApiStatusError 403, 404
 */
export function checkMayBeCreated(context: LifecycleContext, scope: Scope, object: ApiObject): void {
  checkDefinition(context, scope, object);
  checkNamespaceIsOpen(context, scope, object);
}

function checkDefinition({ store }: LifecycleContext, { type }: Scope, object: ApiObject): void {
  if (type.custom === undefined) return;
  const definition = store.get(definitionCollection, type.custom.definition);
  if (definition === undefined) throw pathNotFound();
  if (definition.object.metadata.deletionTimestamp === undefined) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw forbidden(type.group, type.plural, object.metadata.name ?? "", why);
}

function checkNamespaceIsOpen(
  { store }: LifecycleContext,
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
