import { ApiError } from "@operator-path/client";

/** 400 or 422: the server knows no such parameter, or forbids it. */
export function isRefusal(error: Error): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

export function isThrottling(error: Error): boolean {
  return error instanceof ApiError && (error.code === 429 || error.code === 401);
}

/** The server was there and said no, or something that is no watch event. A broken connection is neither. */
export function isAnswer(error: Error): boolean {
  return [ApiError, SyntaxError, RangeError, TypeError].some((type) => error instanceof type);
}

/**
 * The server could not read an object that is deleted, and cannot say which: only a list shows what is gone (KEP-3926,
 * deletion of corrupt objects).
 */
export function isStoreReadError(error: Error): boolean {
  return error instanceof ApiError && error.reason === "StorageReadError";
}

/** The server has not seen this version yet: 504 with the cause ResourceVersionTooLarge. A list without version can do. */
export function isTooLarge(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some(({ reason }) => reason === "ResourceVersionTooLarge") ||
    [error, ...causes].some(({ message }) => message?.includes("Too large resource version"))
  );
}
