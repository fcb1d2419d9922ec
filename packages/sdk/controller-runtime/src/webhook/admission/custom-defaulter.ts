import type { KubeObject, Resource } from "@operator-path/client";
import { decode } from "./decode.ts";
import type { AdmissionContext, AdmissionHandler } from "./handler.ts";
import { createJsonPatch } from "./json-patch.ts";
import { refusalOf } from "./refusal.ts";
import type { AdmissionRequest } from "./request.ts";
import { type AdmissionResponse, allowed, errored } from "./response.ts";

/**
 * Sets defaults (Go: admission.Defaulter). It changes the object that it is given, which is its own, or returns another
 * one; or throws, which refuses the request. `request.object` is the object as it came.
 *
 * It may be called several times for one request, and for dry runs: its second time it should change nothing.
 */
export type CustomDefaulter<T extends KubeObject> = (
  object: T,
  request: AdmissionRequest<T>,
  context: AdmissionContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that changes its argument returns nothing
) => T | void | Promise<T | void>;

export interface CustomDefaulterOptions<T extends KubeObject> {
  /** Other kinds are refused: the webhook's configuration is wrong then. */
  resource?: Resource<T> | undefined;
}

/** A mutating webhook that sets defaults (Go: admission.WithDefaulter). Deletions pass. */
export function customDefaulter<T extends KubeObject>(
  defaulting: CustomDefaulter<T>,
  options: CustomDefaulterOptions<T> = {},
): AdmissionHandler {
  return async (anyRequest, context): Promise<AdmissionResponse> => {
    // The API server sends what the rules of the configuration say; `resource` checks it.
    const request = anyRequest as AdmissionRequest<T>;
    if (request.operation === "DELETE") return allowed();
    let original: T;
    try {
      original = decode(request.object, options.resource);
    } catch (error) {
      return errored(400, error);
    }
    const own = structuredClone(original);
    let changed: T;
    try {
      changed = (await defaulting(own, request, context)) ?? own;
    } catch (error) {
      return refusalOf(error);
    }
    return { ...allowed(), patches: createJsonPatch(original, changed) };
  };
}
