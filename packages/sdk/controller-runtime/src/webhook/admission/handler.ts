import type { IncomingHttpHeaders } from "node:http";
import type { KubeObject } from "@operator-path/client";
import type { Logger } from "../../log/logger.ts";
import type { AdmissionRequest } from "./request.ts";
import type { AdmissionResponse } from "./response.ts";

export interface AdmissionContext {
  /** Says object, resource, user and requestID with each line. */
  readonly log: Logger;
  /** Aborts when the API server does not wait any longer. */
  readonly signal: AbortSignal;
  /** Of the API server's request. */
  readonly headers: IncomingHttpHeaders;
  /** Shown to the client, whether the request is allowed or not. */
  warn(text: string): void;
}

/** Decides on a request (Go: admission.Handler). What it throws becomes a 500 for the client, and a line in the log. */
export type AdmissionHandler<T extends KubeObject = KubeObject> = (
  request: AdmissionRequest<T>,
  context: AdmissionContext,
) => AdmissionResponse | Promise<AdmissionResponse>;
