import type { KubeObject, Resource } from "@operator-path/client";
import { decode } from "./decode.ts";
import type { AdmissionContext, AdmissionHandler } from "./handler.ts";
import { refusalOf } from "./refusal.ts";
import type { AdmissionRequest } from "./request.ts";
import { allowed, errored, withWarnings } from "./response.ts";

/** Passed to a validator with the objects. */
export interface ValidationContext<T extends KubeObject> extends AdmissionContext {
  readonly request: AdmissionRequest<T>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most validators have nothing to warn of
type Warnings = readonly string[] | void;

/**
 * Validates objects. Each function returns warnings, or throws to reject the request: `throwIfInvalid(…)`
 * lists the invalid fields, and the message of any other Error is shown to the client. A missing function
 * allows the request. Go: admission.Validator.
 */
export interface CustomValidator<T extends KubeObject> {
  validateCreate?(object: T, context: ValidationContext<T>): Warnings | Promise<Warnings>;
  validateUpdate?(oldObject: T, object: T, context: ValidationContext<T>): Warnings | Promise<Warnings>;
  validateDelete?(object: T, context: ValidationContext<T>): Warnings | Promise<Warnings>;
}

/** Configures `customValidator`. */
export interface CustomValidatorOptions<T extends KubeObject> {
  /** Rejects other kinds, which a wrong webhook configuration would send. Default: any kind is accepted. */
  resource?: Resource<T> | undefined;
}

/** Creates a validating webhook. Go: admission.WithValidator. */
export function customValidator<T extends KubeObject>(
  validator: CustomValidator<T>,
  { resource }: CustomValidatorOptions<T> = {},
): AdmissionHandler {
  function check(request: AdmissionRequest<T>): (context: ValidationContext<T>) => Promise<Warnings> {
    const { operation, object, oldObject } = request;
    switch (operation) {
      case "CONNECT":
        return async () => {};
      case "CREATE": {
        const made = decode(object, resource);
        return async (context) => validator.validateCreate?.(made, context);
      }
      case "UPDATE": {
        const [now, before] = [decode(object, resource), decode(oldObject, resource)];
        return async (context) => validator.validateUpdate?.(before, now, context);
      }
      case "DELETE": {
        const deleted = decode(oldObject, resource);
        return async (context) => validator.validateDelete?.(deleted, context);
      }
      default:
        throw new Error(`unknown operation ${JSON.stringify(operation)}`);
    }
  }

  return async (anyRequest, context) => {
    // The rules of the webhook configuration select the type, and `resource` checks it.
    const request = anyRequest as AdmissionRequest<T>;
    let run: ReturnType<typeof check>;
    try {
      run = check(request);
    } catch (error) {
      return errored(400, error);
    }
    try {
      return withWarnings(allowed(), ...((await run({ ...context, request })) ?? []));
    } catch (error) {
      return refusalOf(error);
    }
  };
}
