const { aborted, reason } = Object.getOwnPropertyDescriptors(AbortSignal.prototype);

/**
 * The same signal, which calls `look` whenever somebody looks at it (`aborted`, `reason`, `throwIfAborted`): time to abort
 * it for what no timer has told of yet, since the process was held up.
 */
export function watchful(signal: AbortSignal, look: () => void): AbortSignal {
  const watched = (get: (() => unknown) | undefined) => ({
    get() {
      look();
      return get?.call(signal);
    },
  });
  return Object.defineProperties(signal, {
    aborted: watched(aborted.get),
    reason: watched(reason.get),
    throwIfAborted: {
      value() {
        look();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
}
