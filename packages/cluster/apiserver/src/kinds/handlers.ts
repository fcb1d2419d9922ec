import type { Handler, HandlerLookup } from "../server/endpoints/api.ts";
import { handleUpdate } from "../server/endpoints/update.ts";
import { collectionOf } from "../server/storage/keys.ts";
import { handleReview, isReview, type ReviewContext } from "./authorization/reviews.ts";
import { handleScale, type ScaleContext } from "./autoscaling/scale.ts";
import { type BindingContext, handleBinding } from "./core/pod/binding.ts";
import { handleEphemeralContainers } from "./core/pod/ephemeral-containers.ts";
import { type EvictionContext, handleEviction } from "./core/pod/eviction.ts";
import { handleLog } from "./core/pod/log.ts";
import { refusePlainHttp, type StreamContext } from "./core/pod/stream.ts";
import { handleProxy, type ProxyContext } from "./core/proxy.ts";
import { handleToken, type TokenContext } from "./core/service-account.ts";

/** The parts of the server that the handlers use. */
type HandlerContext = ReviewContext &
  ScaleContext &
  BindingContext &
  EvictionContext &
  StreamContext &
  ProxyContext &
  TokenContext;

/** Returns the handlers of the reviews and of all subresources except status, which is an update. */
export function createHandlers(context: HandlerContext): HandlerLookup {
  const proxy: Handler = (scope) => handleProxy(context, scope);
  // Upgraded requests are served in core/pod/stream.ts.
  const stream: Handler = async (scope) => refusePlainHttp(context, scope);
  const review: Handler = (scope) => handleReview(context, scope);
  const scale: Handler = (scope, view, verb) => handleScale(context, scope, view, verb);
  const handlers: Readonly<Record<string, Handler>> = {
    "pods/attach": stream,
    "pods/binding": (scope) => handleBinding(context, scope),
    "pods/ephemeralcontainers": (scope, view, verb) => handleEphemeralContainers(context, scope, view, verb),
    "pods/eviction": (scope) => handleEviction(context, scope),
    "pods/exec": stream,
    "pods/log": (scope) => handleLog(context, scope),
    "pods/portforward": stream,
    "nodes/proxy": proxy,
    "pods/proxy": proxy,
    "services/proxy": proxy,
    "namespaces/finalize": (scope, view) => handleUpdate(context, scope, view),
    "serviceaccounts/token": (scope) => handleToken(context, scope),
  };
  return (type, subresource) => {
    if (isReview(type)) return review;
    if (subresource === "") return undefined;
    return subresource === "scale" ? scale : handlers[`${collectionOf(type)}/${subresource}`];
  };
}
