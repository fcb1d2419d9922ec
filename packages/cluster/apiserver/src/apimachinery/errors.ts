/** One line of what is wrong with an object: meta/v1 StatusCause. */
export interface StatusCause {
  /** CauseType, e.g. FieldValueRequired, FieldValueInvalid. */
  reason?: string;
  message?: string;
  /** Path of the field, e.g. `spec.containers[0].image`. */
  field?: string;
}

/** meta/v1 Status: the body of every answer that is not 2xx. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  /** `continue` is only there when a continue token has expired: the rest can be read with it, inconsistently. */
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

/** An answer of the server that is an error. Thrown anywhere below a request, and sent as it is. */
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

/** Go's %q for the strings that occur in messages: double quotes, with the escapes of JSON. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** `deployments.apps`, or `pods` for the core group: schema.GroupResource and schema.GroupKind as text. */
export function qualified(group: string, name: string): string {
  return group === "" ? name : `${name}.${group}`;
}

function failure(code: number, reason: string, message: string, details?: Status["details"]): ApiStatusError {
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  });
}

/** Details as Go prints them: empty members are left out. */
function details(group: string, kind: string, name = ""): NonNullable<Status["details"]> {
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
  };
}

// The constructors below are named after k8s.io/apimachinery/pkg/api/errors (NewNotFound → notFound, …).
// `resource` is the plural name.

export function notFound(group: string, resource: string, name: string): ApiStatusError {
  return failure(
    404,
    "NotFound",
    `${qualified(group, resource)} ${quote(name)} not found`,
    details(group, resource, name),
  );
}

/** The path leads nowhere: what a real server says for an unknown group, version or resource. */
export function pathNotFound(): ApiStatusError {
  return failure(404, "NotFound", "the server could not find the requested resource", {});
}

/** A real server has it, this one has not (yet). `subresource` as `pods/portforward`. */
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

/** 422. The message is made of the causes, in the words of field.ErrorList. `kind` is the Kind, not the plural. */
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

/** Empty `resource`: "forbidden: why". */
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
 * 410 with reason Expired: the resourceVersion or continue token is older than what is kept.
 * `continueToken` leads to the remainder of the list at the latest revision.
 */
export function expired(message: string, continueToken?: string): ApiStatusError {
  const error = failure(410, "Expired", message);
  if (continueToken !== undefined) error.status.metadata = { continue: continueToken };
  return error;
}

/** "Timeout: Too large resource version: …" as a real server answers a version from the future. */
export function tooLargeResourceVersion(asked: number, current: number): ApiStatusError {
  return failure(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** `action` is create, update, delete, … */
export function methodNotSupported(group: string, resource: string, action: string): ApiStatusError {
  return failure(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind ${quote(qualified(group, resource))}`,
    details(group, resource),
  );
}

/** The HTTP method makes no sense on this path. */
export function methodNotAllowed(): ApiStatusError {
  return failure(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  );
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

/** 500 without a reason: what a real server makes of an error that has no status of its own. */
export function unknownError(message: string): ApiStatusError {
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    code: 500,
  });
}

/** 500. The server's own mistake, or what a node reported (a failed exec, for example). */
export function internalError(message: string): ApiStatusError {
  return failure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** Go's %q of a list. */
export function quoted(list: readonly string[]): string {
  return `[${list.map((item) => JSON.stringify(item)).join(" ")}]`;
}
