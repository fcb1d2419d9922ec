import { RE2JS } from "re2js";

// Patterns come from whoever may write a definition, and are run on what anybody writes: RE2 takes time in proportion to
// the text, where JavaScript's own expressions can take for ever. It is also the syntax that Kubernetes promises.

/** As many compiled patterns as are kept. */
const maximum = 500;

/** Patterns that have been compiled, the one that was used last at the end. */
const compiled = new Map<string, RE2JS>();

/** Whether a pattern of a schema is found anywhere in a text. @throws Error in Go's words if the pattern is none */
export function matchesPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}

/** @throws Error in Go's words: "error parsing regexp: missing closing ]: `[`" */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  compiled.delete(pattern);
  const fresh = known ?? RE2JS.compile(pattern);
  compiled.set(pattern, fresh);
  const [oldest] = compiled.keys();
  if (compiled.size > maximum && oldest !== undefined) compiled.delete(oldest);
  return fresh;
}
