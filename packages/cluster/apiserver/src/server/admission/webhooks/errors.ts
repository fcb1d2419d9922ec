/**
 * The webhook could not be called, or its response could not be read. The message follows "failed to call
 * webhook: ".
 */
export class WebhookCallError extends Error {
  override readonly name = "WebhookCallError";
}

/** A webhook's configuration contains no usable address. */
export class WebhookTargetError extends Error {
  override readonly name = "WebhookTargetError";
}

/** The messages of Go's crypto/x509 for node's TLS errors. */
const certificateWords: Record<string, string> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate signed by unknown authority",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate signed by unknown authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate signed by unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate signed by unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "certificate signed by unknown authority",
  CERT_SIGNATURE_FAILURE: "certificate signed by unknown authority",
  CERT_HAS_EXPIRED: "certificate has expired or is not yet valid",
  CERT_NOT_YET_VALID: "certificate has expired or is not yet valid",
};

/** The part of a call that messages name. */
interface FailedCall {
  readonly target: { readonly url: string };
  readonly timeoutSeconds: number;
}

/**
 * Returns the error of Go's net/http for a failed connection: `Post "https://…": dial tcp 127.0.0.1:1:
 * connect: connection refused`.
 */
export function connectionWords(error: unknown, call: FailedCall, timedOut: boolean): WebhookCallError {
  const { url } = call.target;
  const query = `${url.includes("?") ? "&" : "?"}timeout=${call.timeoutSeconds}s`;
  return new WebhookCallError(`Post ${JSON.stringify(url + query)}: ${cause(error, timedOut)}`);
}

interface NodeError {
  code?: string;
  address?: string;
  port?: number;
  hostname?: string;
  host?: string;
  message?: string;
  cert?: { subjectaltname?: string };
}

function cause(error: unknown, timedOut: boolean): string {
  if (timedOut) return "context deadline exceeded";
  const { code = "", address, port, hostname, host, message = String(error), cert } = error as NodeError;
  if (Object.hasOwn(certificateWords, code)) {
    return `tls: failed to verify certificate: x509: ${certificateWords[code]}`;
  }
  switch (code) {
    case "ABORT_ERR":
      return "context canceled";
    case "ECONNREFUSED":
      return `dial tcp ${address}:${port}: connect: connection refused`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${hostname}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "ERR_TLS_CERT_ALTNAME_INVALID": {
      const valid = (cert?.subjectaltname ?? "")
        .split(", ")
        .map((name) => name.replace(/^(DNS|IP Address):/, ""));
      return `tls: failed to verify certificate: x509: certificate is valid for ${valid.join(", ")}, not ${host}`;
    }
    default:
      return message;
  }
}

/** The messages of client-go for a status other than 200 (transformResponse, newStatusError). */
const statusWords: Record<number, string> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Returns the JSON of a response. @throws WebhookCallError */
export function answerOf(status: number, text: string): unknown {
  if (status < 200 || status > 206) throw new WebhookCallError(statusMessage(status, text));
  if (text === "") {
    throw new WebhookCallError(
      `0-length response with status code: ${status} and content type: application/json`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    // A real server tries YAML when JSON fails, and finds a string.
    throw new WebhookCallError(
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    );
  }
}

function statusMessage(status: number, text: string): string {
  const body = text.trim();
  if (status === 403) return body;
  if (Object.hasOwn(statusWords, status)) return statusWords[status] as string;
  if (status >= 500)
    return `an error on the server (${JSON.stringify(body)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
