import type { AdmissionHandler } from "./handler.ts";
import { type AdmissionResponse, allowed, withWarnings } from "./response.ts";

/** Asks one handler after the other; the first refusal is the answer (Go: MultiValidatingHandler). */
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
 * Asks one handler after the other; the first refusal is the answer, else the patches of all (Go: MultiMutatingHandler).
 * Each is asked about the object as it came: they should not change the same fields.
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
