import { ApiError, type Resource } from "@operator-path/client";

// Errors with an API server's exact words, for the cache and the fake client, which answer in its place.

/** Returns "pods" or "deployments.apps". Go: schema.GroupResource. */
export function groupResource({ plural, group }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

export function notFound(resource: Resource, name: string): ApiError {
  return statusError(resource, name, 404, "NotFound", `${subject(resource, name)} not found`);
}

export function alreadyExists(resource: Resource, name: string): ApiError {
  return statusError(resource, name, 409, "AlreadyExists", `${subject(resource, name)} already exists`);
}

export function conflict(resource: Resource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${subject(resource, name)}: ${why}`;
  return statusError(resource, name, 409, "Conflict", message);
}

export function invalid(resource: Resource, name: string, field: string, why: string): ApiError {
  const { kind, group } = resource;
  const message = `${group === "" ? kind : `${kind}.${group}`} ${JSON.stringify(name)} is invalid: ${field}: ${why}`;
  return statusError(resource, name, 422, "Invalid", message);
}

export function badRequest(resource: Resource, name: string, message: string): ApiError {
  return statusError(resource, name, 400, "BadRequest", message);
}

/** The error for a patch type that the kind does not support. */
export function unknownFormat(resource: Resource, name: string): ApiError {
  const types = ["json-patch+json", "merge-patch+json", "apply-patch+yaml", "apply-patch+cbor"];
  const accepted = types.map((type) => `application/${type}`).join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return statusError(resource, name, 415, "UnsupportedMediaType", message);
}

function subject(resource: Resource, name: string): string {
  return `${groupResource(resource)} ${JSON.stringify(name)}`;
}

function statusError(
  { group, plural }: Resource,
  name: string,
  code: number,
  reason: string,
  message: string,
): ApiError {
  return new ApiError({
    ...{ apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", code, reason, message },
    details: { name, kind: plural, ...(group ? { group } : {}) },
  });
}
