import { ApiError, type Status } from "@operator-path/client";

/** The Statuses with which a server rejects a request. */
export function refusal(code: number, reason: string, message: string, more: Partial<Status> = {}): ApiError {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  return new ApiError({ ...status, ...more } as Status);
}

export const notFound = (plural: string, name: string) =>
  refusal(404, "NotFound", `${plural} ${JSON.stringify(name)} not found`);

export const alreadyExists = (plural: string, name: string) =>
  refusal(409, "AlreadyExists", `${plural} ${JSON.stringify(name)} already exists`);

export const conflict = (plural: string, name: string) =>
  refusal(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${plural} ${JSON.stringify(name)}: the object has been modified; please apply your changes to the latest version and try again`,
  );

export const precondition = (what: string, wanted: string, found: string) =>
  refusal(
    409,
    "Conflict",
    `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
  );

export const expired = (asked: number, oldest: number) =>
  refusal(410, "Expired", `too old resource version: ${asked} (${oldest})`);

export const tokenExpired = () =>
  refusal(
    410,
    "Expired",
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
  );

export const tooLarge = (asked: number, current: number) =>
  refusal(504, "Timeout", `Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });

export const badRequest = (message: string) => refusal(400, "BadRequest", message);

export const watchListForbidden = () =>
  refusal(
    422,
    "Invalid",
    "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
  );
