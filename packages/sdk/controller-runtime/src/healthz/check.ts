/** Throws, or rejects, when something is not well (Go: healthz.Checker). */
export type Check = () => unknown;

/** Always well (Go: healthz.Ping). */
export const ping: Check = () => {};
