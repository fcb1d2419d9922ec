export interface TrackedCollections extends Disposable {
  /** Entries in all Maps and Sets that are still in use. */
  size(): number;
}

/**
 * Counts the entries of the Maps and Sets that code below a folder makes, until it is disposed. For tests of leaks:
 * compare the size before and after many objects came and went.
 *
 * It replaces `globalThis.Map` and `globalThis.Set`. Collections made earlier are not counted, so import the code under test
 * afterwards, with `await import(…)`. Arrays and plain objects are not counted either.
 *
 * @param folder an absolute path, or a file URL
 */
export function trackCollections(folder: string | URL): TrackedCollections {
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
    size: () => made.reduce((sum, collection) => sum + (collection.deref()?.size ?? 0), 0),
    [Symbol.dispose]: () => void Object.assign(globalThis, { Map: RealMap, Set: RealSet }),
  };
}

/** Returns the line of the stack that says where `new Map()` was called: behind this function and the proxy. */
function callerOf(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split("\n")[3] ?? "";
}
