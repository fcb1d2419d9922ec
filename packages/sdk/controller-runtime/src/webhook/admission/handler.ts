import type { IncomingHttpHeaders } from "node:http";
import type { KubeObject } from "@operator-path/client";
import type { Logger } from "../../log/logger.ts";
import type { AdmissionRequest } from "./request.ts";
import type { AdmissionResponse } from "./response.ts";

/** Passed to an admission handler with the request. */
export interface AdmissionContext {
  /** Adds object, resource, user and requestID to each line. */
  readonly log: Logger;
  /** Aborts when the API server stops waiting. */
  readonly signal: AbortSignal;
  /** The headers of the API server's request. */
  readonly headers: IncomingHttpHeaders;
  /** Adds a warning, which the client sees whether the request is allowed or not. */
  warn(text: string): void;
}

/**
 * Decides on a request. If it throws, the client gets a 500, and the error is logged. Go: admission.Handler.
 */
export type AdmissionHandler<T extends KubeObject = KubeObject> = (
  request: AdmissionRequest<T>,
  context: AdmissionContext,
) => AdmissionResponse | Promise<AdmissionResponse>;
