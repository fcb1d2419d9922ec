import type { KubeObject, Resource } from "@operator-path/client";
import type { HandlerRegistration } from "@operator-path/informers";
import type { Cache } from "../cache/cache.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/request.ts";
import { deliver } from "./deliver.ts";
import type { Source } from "./source.ts";

/** Configures `kindSource`. */
export interface KindSourceOptions<T extends KubeObject> {
  /** An event must pass all of them. */
  predicates?: readonly Predicate<T>[] | undefined;
}

/** Creates a source for changes of a resource's objects in the cache. Go: source.Kind. */
export function kindSource<T extends KubeObject, R = Request>(
  cache: Cache,
  resource: Resource<T>,
  handler: EventHandler<T, R>,
  { predicates = [] }: KindSourceOptions<T> = {},
): Source<R> {
  let registration: HandlerRegistration | undefined;
  return {
    name: `kind source: ${resource.kind}${resource.group ? `.${resource.group}` : ""}`,
    async start(queue, context) {
      const { signal } = context;
      const delivery = { ...context, handler, predicates, queue, kind: resource.kind };
      const informer = await cache.informer(resource, { signal, waitForSync: false });
      const added = informer.addEventHandler({ changed: (change) => deliver(delivery, change) });
      registration = added;
      if (signal.aborted) added.remove();
      else signal.addEventListener("abort", () => added.remove(), { once: true });
    },
    async waitForSync(signal) {
      try {
        // Waits for this handler only: the informer also waits for handlers of other controllers.
        await registration?.waitForSync(signal);
      } catch (error) {
        const state = cache
          .health()
          .informers.find(
            (each) => each.resource.group === resource.group && each.resource.plural === resource.plural,
          );
        if (!state?.lastError || state.synced) throw error;
        throw new Error(`${state.lastError.message}${adviceFor(state.lastError, resource)}`, {
          cause: error,
        });
      }
    },
  };
}

function adviceFor(error: Error, resource: Resource): string {
  const code = "code" in error ? error.code : undefined;
  if (code === 404) return ` (is the CustomResourceDefinition of ${resource.kind} installed?)`;
  if (code === 403) return ` (its Role needs list and watch of ${resource.plural})`;
  return "";
}
