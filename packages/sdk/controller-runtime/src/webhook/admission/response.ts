import type { ApiError, JsonPatchOperation, Status } from "@operator-path/client";

/** The response of a handler. Go: admission.Response. */
export interface AdmissionResponse {
  allowed: boolean;
  /** The status that the client sees. For a denial, its code is the HTTP code. */
  status?: Partial<Status>;
  /** Changes to the request's object, for a mutating webhook. */
  patches?: readonly JsonPatchOperation[];
  /** Warnings that the client sees, at most 256 characters each. */
  warnings?: readonly string[];
  /** Annotations for the audit log, which prefixes the keys with the webhook's name. */
  auditAnnotations?: Readonly<Record<string, string>>;
}

/** Returns a response that allows the request. Go: admission.Allowed. */
export function allowed(message = ""): AdmissionResponse {
  return { allowed: true, status: { code: 200, ...(message ? { message } : {}) } };
}

/** Returns a response that denies the request with 403. Go: admission.Denied. */
export function denied(message: string): AdmissionResponse {
  return {
    allowed: false,
    status: { code: 403, reason: "Forbidden", ...(message ? { message } : {}) },
  };
}

/** Returns a response that rejects the request with an error. Go: admission.Errored. */
export function errored(code: number, error: unknown): AdmissionResponse {
  return {
    allowed: false,
    status: { code, message: error instanceof Error ? error.message : String(error) },
  };
}

/** Returns a response that allows the request with patches. Go: admission.Patched. */
export function patched(message: string, ...patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...allowed(message), patches };
}

/** Returns a response that rejects the request with the Status of an error. */
export function refused({ status }: ApiError): AdmissionResponse {
  return { allowed: false, status };
}

/** Returns the response with additional warnings. Go: Response.WithWarnings. */
export function withWarnings(response: AdmissionResponse, ...warnings: readonly string[]): AdmissionResponse {
  return warnings.length === 0
    ? response
    : { ...response, warnings: [...(response.warnings ?? []), ...warnings] };
}
