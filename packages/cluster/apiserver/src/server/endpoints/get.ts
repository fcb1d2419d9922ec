import { notFound, tooLargeResourceVersion } from "../../apimachinery/errors.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import { parseResourceVersion } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { View } from "../registry/view.ts";
import { keyOf } from "../storage/keys.ts";
import type { Store } from "../storage/store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { createEncoder, type TableContext } from "./encoder.ts";

/** Returns the object that a request names. @throws ApiStatusError 404 */
export function find({ store }: { readonly store: Pick<Store, "get"> }, scope: Scope): StoredObject {
  const found = store.get(scope.collection, keyOf(scope.type.namespaced ? scope.namespace : "", scope.name));
  if (found === undefined) throw notFound(scope.type.group, scope.type.plural, scope.name);
  return found;
}

/** The parts of the server that a get uses. */
export interface GetContext extends TableContext {
  readonly store: Pick<Store, "get" | "revision">;
}

export async function handleGet(context: GetContext, scope: Scope, view: View): Promise<WholeReply> {
  const encoder = createEncoder(context, view, scope.request);
  const requested = parseResourceVersion(scope.request.query.get("resourceVersion") ?? "");
  if (requested > context.store.revision) throw tooLargeResourceVersion(requested, context.store.revision);
  const found = find(context, scope);
  await view.ready([found], true);
  return bytesReply(200, encoder.object(found));
}
