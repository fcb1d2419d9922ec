/** One problem of an object: meta/v1 StatusCause. */
export interface StatusCause {
  /** CauseType, e.g. FieldValueRequired, FieldValueInvalid. */
  reason?: string;
  message?: string;
  /** Path of the field, e.g. `spec.containers[0].image`. */
  field?: string;
}

/** meta/v1 Status: the body of every response that is not 2xx. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  /**
   * `continue` is set only when a continue token has expired. It reads the rest of the list at a later
   * revision.
   */
  metadata: { continue?: string };
  status: "Failure" | "Success";
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: StatusCause[];
    retryAfterSeconds?: number;
  };
  code?: number;
}

/** An error response. Code below a request throws it, and the server sends its Status. */
export class ApiStatusError extends Error {
  override readonly name = "ApiStatusError";
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? "unknown");
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }
}

/** Quotes a text like Go's %q, with the escapes of JSON, which suffice for messages. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Formats a schema.GroupResource or schema.GroupKind: `deployments.apps`, or `pods` for the core group. */
export function qualified(group: string, name: string): string {
  return group === "" ? name : `${name}.${group}`;
}

function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: Status["details"],
): ApiStatusError {
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

/** Returns the details as Go writes them: without empty members. */
function details(group: string, kind: string, name = ""): NonNullable<Status["details"]> {
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
  };
}

// The constructors below have the names of k8s.io/apimachinery/pkg/api/errors (NewNotFound → notFound, …).
// `resource` is the plural name.

export function notFound(group: string, resource: string, name: string): ApiStatusError {
  return failure(
    404,
    "NotFound",
    `${qualified(group, resource)} ${quote(name)} not found`,
    details(group, resource, name),
  );
}

/** Returns a real server's error for an unknown group, version or resource. */
export function pathNotFound(): ApiStatusError {
  return genericFailure(404, "NotFound", "the server could not find the requested resource");
}

/**
 * Returns the error for a subresource that a real server has and this one does not. `subresource` is
 * `pods/portforward`.
 */
export function subresourceNotServed(subresource: string): ApiStatusError {
  return failure(404, "NotFound", `${subresource} is not served by this embedded cluster yet`, {});
}

export function alreadyExists(group: string, resource: string, name: string): ApiStatusError {
  return failure(
    409,
    "AlreadyExists",
    `${qualified(group, resource)} ${quote(name)} already exists`,
    details(group, resource, name),
  );
}

export function generateNameConflict(group: string, resource: string, name: string): ApiStatusError {
  return failure(
    409,
    "AlreadyExists",
    `${qualified(group, resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...details(group, resource, name), retryAfterSeconds: 1 },
  );
}

export function conflict(group: string, resource: string, name: string, why: string): ApiStatusError {
  return failure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(group, resource)} ${quote(name)}: ${why}`,
    details(group, resource, name),
  );
}

/** Returns a 422, with the causes in the message like field.ErrorList. `kind` is the Kind, not the plural. */
export function invalid(group: string, kind: string, name: string, causes: StatusCause[]): ApiStatusError {
  const texts = [
    ...new Set(
      causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : (cause.message ?? ""))),
    ),
  ];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const head = `${qualified(group, kind)} ${quote(name)} is invalid`;
  return failure(422, "Invalid", texts.length === 0 ? head : `${head}: ${list}`, {
    ...details(group, kind, name),
    ...(causes.length === 0 ? {} : { causes }),
  });
}

export function badRequest(message: string): ApiStatusError {
  return failure(400, "BadRequest", message);
}

/** With an empty `resource`: "forbidden: why". */
export function forbidden(group: string, resource: string, name: string, why: string): ApiStatusError {
  const subject =
    resource === ""
      ? "forbidden"
      : `${qualified(group, resource)}${name === "" ? "" : ` ${quote(name)}`} is forbidden`;
  return failure(403, "Forbidden", `${subject}: ${why}`, details(group, resource, name));
}

export function unauthorized(): ApiStatusError {
  return failure(401, "Unauthorized", "Unauthorized");
}

/**
 * Returns a 410 with the reason Expired: the resourceVersion or continue token is older than the history.
 * `continueToken` reads the rest of the list at the latest revision.
 */
export function expired(message: string, continueToken?: string): ApiStatusError {
  const error = failure(410, "Expired", message);
  if (continueToken !== undefined) error.status.metadata = { continue: continueToken };
  return error;
}

/** Returns a real server's error for a version from the future: "Timeout: Too large resource version: …". */
export function tooLargeResourceVersion(asked: number, current: number): ApiStatusError {
  return failure(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** Returns a 405. `action` is create, update, delete, … */
export function methodNotSupported(group: string, resource: string, action: string): ApiStatusError {
  return failure(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind ${quote(qualified(group, resource))}`,
    details(group, resource),
  );
}

/** Returns the error for an HTTP method that the path does not support. */
export function methodNotAllowed(): ApiStatusError {
  return genericFailure(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
  );
}

/** Returns the error of a request that fails before a handler knows its resource (NewGenericServerResponse). */
export function genericFailure(code: number, reason: string, message: string): ApiStatusError {
  return failure(code, reason, message, {});
}

export function unsupportedMediaType(message: string): ApiStatusError {
  return failure(415, "UnsupportedMediaType", message);
}

export function notAcceptable(message: string): ApiStatusError {
  return failure(406, "NotAcceptable", message);
}

export function requestEntityTooLarge(message: string): ApiStatusError {
  return failure(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}

export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes?: StatusCause[],
): ApiStatusError {
  return failure(429, "TooManyRequests", message, {
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}

export function serviceUnavailable(message: string): ApiStatusError {
  return failure(503, "ServiceUnavailable", message);
}

/** Returns a 500 without a reason, as a real server does for an error without a status. */
export function unknownError(message: string): ApiStatusError {
  return failure(500, undefined, message);
}

/** Returns a 500: a defect of the server, or an error of a node, such as a failed exec. */
export function internalError(message: string): ApiStatusError {
  return failure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** Formats a list like Go's %q. */
export function quoted(list: readonly string[]): string {
  return `[${list.map((item) => JSON.stringify(item)).join(" ")}]`;
}
