import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface TrackedCollections extends Disposable {
  /** Resolves to the number of entries in all Maps and Sets that are still referenced. */
  size(): Promise<number>;
}

/**
 * Counts the entries of the Maps and Sets that the code below a folder creates, until it is disposed. For
 * leak tests: compare the size before and after many objects came and went.
 *
 * It replaces `globalThis.Map` and `globalThis.Set`. It does not count collections that exist already, so
 * import the code under test afterwards, with `await import(…)`. It does not count arrays and plain objects
 * either.
 *
 * @param folder an absolute path, or a file URL
 */
export function trackCollections(folder: string | URL): TrackedCollections {
  // Node exposes no garbage collection to a program that was started without the flag.
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const place = String(folder).replace(/^file:\/\//, "");
  const made: WeakRef<Map<unknown, unknown> | Set<unknown>>[] = [];
  const { Map: RealMap, Set: RealSet } = globalThis;

  function tracked<C extends typeof RealMap | typeof RealSet>(real: C): C {
    const proxy: C = new Proxy(real, {
      construct(target, args, newTarget) {
        const collection = Reflect.construct(target, args, newTarget === proxy ? target : newTarget);
        if (callerOf().includes(place)) made.push(new WeakRef(collection));
        return collection;
      },
    });
    return proxy;
  }

  Object.assign(globalThis, { Map: tracked(RealMap), Set: tracked(RealSet) });
  return {
    async size() {
      // A WeakRef keeps its target until the current turn of the event loop ends.
      await setImmediate();
      collectGarbage();
      return made.reduce((sum, collection) => sum + (collection.deref()?.size ?? 0), 0);
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { Map: RealMap, Set: RealSet }),
  };
}

/** Returns the line of the stack that called `new Map()`: it follows this function and the proxy. */
function callerOf(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split("\n")[3] ?? "";
}
