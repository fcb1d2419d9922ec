import { ApiError } from "@operator-path/client";

/** 400 or 422: the server does not know the parameter, or forbids it. */
export function isRefusal(error: Error): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

export function isThrottling(error: Error): boolean {
  return error instanceof ApiError && (error.code === 429 || error.code === 401);
}

/**
 * The server answered, with an error or with something that is not a watch event. A broken connection is not
 * an answer.
 */
export function isAnswer(error: Error): boolean {
  return [ApiError, SyntaxError, RangeError, TypeError].some((type) => error instanceof type);
}

/**
 * The server cannot read an object that was deleted, and cannot say which one. Only a list shows what is
 * missing (KEP-3926, deletion of corrupt objects).
 */
export function isStoreReadError(error: Error): boolean {
  return error instanceof ApiError && error.reason === "StorageReadError";
}

/**
 * The server has not reached this version yet: a 504 with the cause ResourceVersionTooLarge. A list without a
 * resourceVersion still works.
 */
export function isTooLarge(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some(({ reason }) => reason === "ResourceVersionTooLarge") ||
    [error, ...causes].some(({ message }) => message?.includes("Too large resource version"))
  );
}
