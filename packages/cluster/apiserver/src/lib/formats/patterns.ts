import { RE2JS } from "re2js";

// Clients write the patterns and the texts. RE2's time is proportional to the text for every pattern, while
// JavaScript's own expressions may take exponential time. RE2 is also the syntax that Kubernetes promises.

/** The most compiled patterns in the cache. */
const maximum = 500;

/** Compiled patterns, the most recently used last. */
const compiled = new Map<string, RE2JS>();

/**
 * Returns whether a pattern matches anywhere in a text. @throws Error with Go's message if the pattern is
 * invalid
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}

/**
 * Compiles a pattern, or returns it from the cache.
 * @throws Error with Go's message: "error parsing regexp: missing closing ]: `[`"
 */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  compiled.delete(pattern);
  const fresh = known ?? RE2JS.compile(pattern);
  compiled.set(pattern, fresh);
  const [oldest] = compiled.keys();
  if (compiled.size > maximum && oldest !== undefined) compiled.delete(oldest);
  return fresh;
}
