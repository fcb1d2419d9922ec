import { isAlreadyExists, isNotFound } from "@operator-path/client";

/**
 * For `catch`: undefined in place of an object that is not there; any other error is thrown (Go: client.IgnoreNotFound).
 *
 * `const pod = await client.get(pods, key).catch(ignoreNotFound);`
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** For `catch`: undefined when somebody was quicker; any other error is thrown (Go: client.IgnoreAlreadyExists). */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}
