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
