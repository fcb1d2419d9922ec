import { isAlreadyExists, isNotFound } from "@operator-path/client";

/**
 * Returns undefined for a NotFound error and throws any other error. For `catch`. Go: client.IgnoreNotFound.
 *
 * `const pod = await client.get(pods, key).catch(ignoreNotFound);`
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/**
 * Returns undefined for an AlreadyExists error and throws any other error. For `catch`.
 * Go: client.IgnoreAlreadyExists.
 */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}
