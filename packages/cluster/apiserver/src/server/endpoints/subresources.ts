import { methodNotAllowed, pathNotFound } from "../../apimachinery/errors.ts";
import { handleScale } from "../../kinds/autoscaling/scale.ts";
import { handleFinalize } from "../../kinds/core/namespace-finalize.ts";
import { handleBinding } from "../../kinds/core/pod/binding.ts";
import { handleEphemeralContainers } from "../../kinds/core/pod/ephemeral-containers.ts";
import { handleEviction } from "../../kinds/core/pod/eviction.ts";
import { handleLog } from "../../kinds/core/pod/log.ts";
import { refusePlainHttp } from "../../kinds/core/pod/stream.ts";
import { handleProxy } from "../../kinds/core/proxy.ts";
import { handleToken } from "../../kinds/core/service-account-token.ts";
import type { Reply } from "../http/reply.ts";
import type { Scope } from "../registry/scope.ts";
import type { View } from "../registry/view.ts";
import { collectionOf } from "../storage/keys.ts";
import type { ApiContext } from "./context.ts";

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
  // These are answered where the protocol changes (kinds/core/pod/stream.ts).
  if (["exec", "attach", "portforward"].includes(subresource)) return refusePlainHttp(context, scope);
  const handler = subresource === "scale" ? handleScale : handlers[`${collectionOf(type)}/${subresource}`];
  if (handler === undefined) throw pathNotFound();
  return handler(context, scope, view, verb);
}
