/**
 * Lets no real time pass while something runs: informers give the event loop its turn after some milliseconds of work,
 * and on a machine that is busy or cold that would be another history. Returns how to end it.
 */
export function standStill(now: () => number): () => void {
  const { performance } = globalThis;
  const own = Object.getOwnPropertyDescriptor(performance, "now");
  Object.defineProperty(performance, "now", { value: now, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(performance, "now", own);
    else Reflect.deleteProperty(performance, "now");
  };
}
