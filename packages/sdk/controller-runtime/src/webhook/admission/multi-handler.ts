import type { AdmissionHandler } from "./handler.ts";
import { type AdmissionResponse, allowed, withWarnings } from "./response.ts";

/** Calls handlers in order and returns the first denial. Go: MultiValidatingHandler. */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, context) => {
    let all = allowed();
    for (const handler of handlers) {
      const response = await handler(request, context);
      if (!response.allowed) return response;
      all = withWarnings(all, ...(response.warnings ?? []));
    }
    return all;
  };
}

/**
 * Calls handlers in order and returns the first denial, otherwise all patches. Each handler receives the
 * original object, so they should not change the same fields. Go: MultiMutatingHandler.
 */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, context) => {
    let all: AdmissionResponse = { ...allowed(), patches: [] };
    for (const handler of handlers) {
      const response = await handler(request, context);
      if (!response.allowed) return response;
      const patches = [...(all.patches ?? []), ...(response.patches ?? [])];
      all = withWarnings({ ...all, patches }, ...(response.warnings ?? []));
    }
    return all;
  };
}
