const words = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch " +
    "this throw true try typeof var void while with yield"
  ).split(" "),
);

/** Whether no variable of a TypeScript module can have this name. */
export function isReservedWord(name: string): boolean {
  return words.has(name);
}

/** A kind as a variable is called: Memcached → memcached, HTTPRoute → httpRoute. */
export function camelCase(kind: string): string {
  const capitals = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/.exec(kind)?.[0] ?? "";
  return capitals.toLowerCase() + kind.slice(capitals.length);
}
