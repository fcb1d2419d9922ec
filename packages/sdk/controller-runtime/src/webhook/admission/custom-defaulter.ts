import type { KubeObject, Resource } from "@operator-path/client";
import { decode } from "./decode.ts";
import type { AdmissionContext, AdmissionHandler } from "./handler.ts";
import { createJsonPatch } from "./json-patch.ts";
import { refusalOf } from "./refusal.ts";
import type { AdmissionRequest } from "./request.ts";
import { type AdmissionResponse, allowed, errored } from "./response.ts";

/**
 * Sets defaults. It may change its argument, which is a copy, or return another object. Throwing rejects the
 * request. `request.object` is the original. Go: admission.Defaulter.
 *
 * It may run several times for one request, and for dry runs. The second run should change nothing.
 */
export type CustomDefaulter<T extends KubeObject> = (
  object: T,
  request: AdmissionRequest<T>,
  context: AdmissionContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that changes its argument returns nothing
) => T | void | Promise<T | void>;

/** Configures `customDefaulter`. */
export interface CustomDefaulterOptions<T extends KubeObject> {
  /** Rejects other kinds, which a wrong webhook configuration would send. Default: any kind is accepted. */
  resource?: Resource<T> | undefined;
}

/** Creates a mutating webhook that sets defaults. Deletions pass. Go: admission.WithDefaulter. */
export function customDefaulter<T extends KubeObject>(
  defaulting: CustomDefaulter<T>,
  options: CustomDefaulterOptions<T> = {},
): AdmissionHandler {
  return async (anyRequest, context): Promise<AdmissionResponse> => {
    // The rules of the webhook configuration select the type, and `resource` checks it.
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
