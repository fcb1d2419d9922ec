/** Throws or rejects when something is unhealthy. Go: healthz.Checker. */
export type Check = () => unknown;

/** A check that always succeeds. Go: healthz.Ping. */
export const ping: Check = () => {};
