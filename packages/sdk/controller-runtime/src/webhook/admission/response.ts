import type { ApiError, JsonPatchOperation, Status } from "@operator-path/client";

/** What a handler answers (Go: admission.Response). */
export interface AdmissionResponse {
  allowed: boolean;
  /** What the client is told. Of a refusal: the code is the answer's. */
  status?: Partial<Status>;
  /** Changes to the request's object, of a mutating webhook. */
  patches?: readonly JsonPatchOperation[];
  /** Shown to the client, at most 256 characters of each. */
  warnings?: readonly string[];
  /** For the audit log; the key is prefixed with the webhook's name there. */
  auditAnnotations?: Readonly<Record<string, string>>;
}

/** Go: admission.Allowed. */
export function allowed(message = ""): AdmissionResponse {
  return { allowed: true, status: { code: 200, ...(message ? { message } : {}) } };
}

/** Go: admission.Denied: 403 for the client. */
export function denied(message: string): AdmissionResponse {
  return {
    allowed: false,
    status: { code: 403, reason: "Forbidden", ...(message ? { message } : {}) },
  };
}

/** Go: admission.Errored. */
export function errored(code: number, error: unknown): AdmissionResponse {
  return {
    allowed: false,
    status: { code, message: error instanceof Error ? error.message : String(error) },
  };
}

/** Go: admission.Patched. */
export function patched(message: string, ...patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...allowed(message), patches };
}

/** A refusal in words of one's own: `refused(error)`. */
export function refused({ status }: ApiError): AdmissionResponse {
  return { allowed: false, status };
}

/** Go: Response.WithWarnings: in addition to those that are there. */
export function withWarnings(response: AdmissionResponse, ...warnings: readonly string[]): AdmissionResponse {
  return warnings.length === 0
    ? response
    : { ...response, warnings: [...(response.warnings ?? []), ...warnings] };
}
