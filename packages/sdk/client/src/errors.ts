import type { Status } from "./generated/kubernetes-types.ts";

/**
 * A response with a status of 400 or above, and the server's own Status. `message` is the server's message. A
 * 401 carries no useful message, so for a 401 `message` names the request and the user instead.
 */
export class ApiError extends Error {
  /** The HTTP status code. */
  readonly code: number;
  /** The machine-readable reason (`NotFound`, `Conflict`, `Invalid`, …); "" when the server gave none. */
  readonly reason: string;
  readonly status: Status;
  /**
   * Milliseconds that the server asks the client to wait (`Retry-After` or the Status's `retryAfterSeconds`).
   */
  readonly retryAfter: number | undefined;
  /** The request. Undefined for an error that a test creates. */
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
 * Returns the error of a response. If the body is not a Status, such as a proxy's HTML page, its first 200
 * characters go into the message, so that the user can tell which program answered.
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
      ? "no credentials were sent, because the kubeconfig's context has no user or its server uses plain HTTP: set a user and an https:// server"
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
    // Not JSON. The caller puts the text into its message.
  }
  return undefined;
}

/**
 * An ApiError with this code. The guards below also check the reason, because two reasons may share a code.
 */
type Refusal<Code extends number> = ApiError & { readonly code: Code };

/** Returns whether the object, or its resource, does not exist (404 NotFound). */
export const isNotFound = (error: unknown): error is Refusal<404> => has(error, 404, "NotFound");
/** Returns whether a create failed because an object of that name exists (409 AlreadyExists). */
export const isAlreadyExists = (error: unknown): error is Refusal<409> => has(error, 409, "AlreadyExists");
/**
 * Returns whether the object has changed, or a precondition did not hold (409 Conflict). False for
 * AlreadyExists, which is a 409 too.
 */
export const isConflict = (error: unknown): error is Refusal<409> => has(error, 409, "Conflict");
/** Returns whether the user lacks the permission (403 Forbidden). Quotas and admission also answer 403. */
export const isForbidden = (error: unknown): error is Refusal<403> => has(error, 403, "Forbidden");
/** Returns whether the server did not accept the credentials (401 Unauthorized). */
export const isUnauthorized = (error: unknown): error is Refusal<401> => has(error, 401, "Unauthorized");
/** Returns whether validation rejected the object (422 Invalid). */
export const isInvalid = (error: unknown): error is Refusal<422> => has(error, 422, "Invalid");
/**
 * Returns whether the server asked the client to slow down (429 TooManyRequests). See `ApiError.retryAfter`.
 */
export const isTooManyRequests = (error: unknown): error is Refusal<429> =>
  has(error, 429, "TooManyRequests");
/** Returns whether a resourceVersion or a continue token is too old (410 `Expired` or `Gone`). List again. */
export const isGone = (error: unknown): error is Refusal<410> =>
  error instanceof ApiError && error.code === 410;

function has(error: unknown, code: number, reason: string): boolean {
  return error instanceof ApiError && error.code === code && (error.reason === reason || error.reason === "");
}

/** The request that failed. Its URL contains neither the query nor credentials. */
export interface FailedRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * A request without an answer: the connection failed or broke, the server stayed silent, or the client was
 * closed. An answer of 400 or above is an `ApiError` instead. A request whose own signal aborts rejects with
 * the signal's reason.
 */
export class RequestError extends Error {
  override readonly name: string = "RequestError";
  readonly request: FailedRequest;
  /**
   * No byte arrived within the client's `timeout`, or no credentials arrived within its `credentialsTimeout`.
   */
  readonly timedOut: boolean;
  /** The client was closed. */
  readonly isAborted: boolean;
  /** Node's code for the connection's error, such as "ECONNREFUSED". */
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
 * An argument is invalid, such as an empty name. It has its own class because such a value often comes from a
 * user's object and not from a bug in the program.
 */
export class UsageError extends TypeError {
  override readonly name: string = "UsageError";
}

/**
 * Returns the wait that a response's `Retry-After` asks for, in milliseconds. The header is a number of
 * seconds or a date (RFC 9110, 10.2.3). A date is compared with the response's own `Date` if it has one, so
 * that a difference between the two clocks does not matter.
 */
function retryAfterOf(headers: Record<string, string>): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(sentAt) ? Date.now() : sentAt));
}
