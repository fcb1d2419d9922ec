import { handleLog } from "../../connect/log.ts";
import { handleProxy } from "../../connect/proxy.ts";
import { refusePlainHttp } from "../../connect/stream.ts";
import { methodNotAllowed, pathNotFound } from "../../errors.ts";
import type { Reply } from "../../http/reply.ts";
import { collectionOf } from "../../store/keys.ts";
import type { ApiContext } from "../context.ts";
import type { Scope } from "../scope.ts";
import type { View } from "../view.ts";
import { handleBinding } from "./binding.ts";
import { handleEphemeralContainers } from "./ephemeral-containers.ts";
import { handleEviction } from "./eviction.ts";
import { handleFinalize } from "./finalize.ts";
import { handleScale } from "./scale.ts";
import { handleToken } from "./token.ts";

type Handler = (context: ApiContext, scope: Scope, view: View, verb: string) => Promise<Reply>;

const handlers: Record<string, Handler> = {
  "pods/binding": handleBinding,
  "pods/ephemeralcontainers": handleEphemeralContainers,
  "pods/eviction": handleEviction,
  "pods/log": handleLog,
  "nodes/proxy": handleProxy,
  "pods/proxy": handleProxy,
  "services/proxy": handleProxy,
  "namespaces/finalize": handleFinalize,
  "serviceaccounts/token": handleToken,
};

/** All subresources but status, which is another way to update, and exec, attach and portforward, which are no HTTP. */
export function handleSubresource(
  context: ApiContext,
  scope: Scope,
  view: View,
  verb: string,
): Promise<Reply> {
  const { subresource, type } = scope;
  const known = type.subresourceTypes.find(({ name }) => name === subresource);
  if (known === undefined) throw pathNotFound();
  if (!known.verbs.includes(verb)) throw methodNotAllowed();
  // These are answered where the protocol changes (connect/stream.ts).
  if (["exec", "attach", "portforward"].includes(subresource)) return refusePlainHttp(context, scope);
  const handler = subresource === "scale" ? handleScale : handlers[`${collectionOf(type)}/${subresource}`];
  if (handler === undefined) throw pathNotFound();
  return handler(context, scope, view, verb);
}
