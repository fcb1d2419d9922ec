import type { Status } from "./generated/kubernetes-types.ts";

/**
 * A response of 400 and above, with the server's own Status. `message` is the server's message; that of a 401, which says
 * nothing of its own, begins with the request, and names the user whose credentials were not accepted.
 */
export class ApiError extends Error {
  /** The HTTP status code. */
  readonly code: number;
  /** The machine-readable reason (`NotFound`, `Conflict`, `Invalid`, …); "" when the server gave none. */
  readonly reason: string;
  readonly status: Status;
  /** Milliseconds that the server asks to wait (`Retry-After`, or the Status's `details.retryAfterSeconds`), if it does. */
  readonly retryAfter: number | undefined;
  /** What was asked. Undefined for an error that a test made. */
  readonly request: FailedRequest | undefined;

  constructor(status: Status, retryAfter?: number, message?: string, request?: FailedRequest) {
    super(message ?? (status.message || status.reason || `the server answered ${status.code}`));
    this.request = request;
    this.name = "ApiError";
    this.code = status.code ?? 0;
    this.reason = status.reason ?? "";
    this.status = status;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfter = retryAfter ?? (seconds ? seconds * 1000 : undefined);
  }
}

/**
 * Reads the error out of a response. A body that is no Status (a proxy's HTML page, say) becomes the message, cut to
 * 200 characters, so that the user sees who answered.
 */
export function toApiError(
  code: number,
  headers: Record<string, string>,
  body: Uint8Array,
  request: { method: string; path: string; server: string; user: string | undefined },
): ApiError {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const { method, path, server, user } = request;
  const status = parseStatus(text, code) ?? {
    apiVersion: "v1",
    kind: "Status",
    status: "Failure",
    code,
    message: `${method} ${path}: the server answered ${code}: ${text.trim().slice(0, 200) || "(empty body)"}`,
  };
  const why =
    user === undefined
      ? "no credentials were sent: the kubeconfig's context has no user, or its server is plain HTTP: give it an https:// address"
      : `the server does not accept the credentials of the kubeconfig's user ${JSON.stringify(user)}`;
  const unauthorized = `${method} ${server}${path}: Unauthorized: ${why}`;
  return new ApiError(
    status,
    retryAfterOf(headers),
    code === 401 && status.message === "Unauthorized" ? unauthorized : undefined,
    { method, url: `${server}${path}` },
  );
}

function parseStatus(text: string, code: number): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed && typeof parsed === "object" && "kind" in parsed && parsed.kind === "Status") {
      return { ...(parsed as Status), code: (parsed as Status).code ?? code };
    }
  } catch {
    // Not JSON: the caller words it.
  }
  return undefined;
}

/** An ApiError of this code. The reason is checked as well: of another error with the same code, nothing is said. */
type Refusal<Code extends number> = ApiError & { readonly code: Code };

export const isNotFound = (error: unknown): error is Refusal<404> => has(error, 404, "NotFound");
export const isAlreadyExists = (error: unknown): error is Refusal<409> => has(error, 409, "AlreadyExists");
/** 409 Conflict: the object has changed, or a precondition did not hold. Not AlreadyExists, which is a 409 too. */
export const isConflict = (error: unknown): error is Refusal<409> => has(error, 409, "Conflict");
export const isForbidden = (error: unknown): error is Refusal<403> => has(error, 403, "Forbidden");
export const isUnauthorized = (error: unknown): error is Refusal<401> => has(error, 401, "Unauthorized");
export const isInvalid = (error: unknown): error is Refusal<422> => has(error, 422, "Invalid");
export const isTooManyRequests = (error: unknown): error is Refusal<429> =>
  has(error, 429, "TooManyRequests");
/** 410: the resourceVersion or continue token is too old (`Expired`, `Gone`). List again. */
export const isGone = (error: unknown): error is Refusal<410> =>
  error instanceof ApiError && error.code === 410;

function has(error: unknown, code: number, reason: string): boolean {
  return error instanceof ApiError && error.code === code && (error.reason === reason || error.reason === "");
}

/** The request that an error is about. The URL has neither a query nor credentials. */
export interface FailedRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * A request without an answer: the connection failed or broke, the server stayed silent, or the client was closed. An
 * answer of 400 and above is an `ApiError`; a request whose own signal aborts rejects with the signal's reason.
 */
export class RequestError extends Error {
  override readonly name: string = "RequestError";
  readonly request: FailedRequest;
  /** The server sent no byte for as long as the client's `timeout`, or no credentials came in `credentialsTimeout`. */
  readonly timedOut: boolean;
  /** The client was closed. */
  readonly isAborted: boolean;
  /** Node's code of the connection's error ("ECONNREFUSED"), if there is one. */
  readonly code: string | undefined;

  constructor(
    message: string,
    options: { request: FailedRequest; timedOut?: boolean; isAborted?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.request = options.request;
    this.timedOut = options.timedOut ?? false;
    this.isAborted = options.isAborted ?? false;
    this.code = (options.cause as NodeJS.ErrnoException | undefined)?.code;
  }
}

/**
 * An argument is invalid, such as an empty name. A class of its own, because the value often comes from a user's object and
 * not from a bug.
 */
export class UsageError extends TypeError {
  override readonly name: string = "UsageError";
}

/**
 * Milliseconds that a response's `Retry-After` asks to wait: a number of seconds, or a date (RFC 9110, 10.2.3), which
 * counts from the response's own `Date` where it has one, so that it does not matter which clock is wrong.
 */
export function retryAfterOf(headers: Record<string, string>): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(sentAt) ? Date.now() : sentAt));
}
