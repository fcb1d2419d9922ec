/** Compares a line of an edit with a line of a file. */
export type LineComparison = (a: string, b: string) => boolean;

/**
 * Returns how to compare the lines of a file with those of an edit. Lines of code are the same if TypeScript reads the
 * same tokens: spaces, quotes, numeric separators, semicolons and trailing commas do not count. In other files,
 * trailing blanks do not count.
 *
 * @param file its path
 */
export function lineComparison(file: string): LineComparison {
  const meaning = /\.[cm]?[jt]s$/.test(file) ? tokensOf : (line: string) => line.trimEnd();
  return (a, b) => a === b || meaning(a) === meaning(b);
}

const token =
  /\/\/.*|\/\*.*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\.?\d[\w.]*|[\p{L}_$][\p{L}\p{N}_$]*|\S/gu;

function tokensOf(line: string): string {
  const tokens = [...line.trim().matchAll(token)].map(([text]) => spellingOf(text));
  const isMeant = (text: string, at: number): boolean => {
    const next = tokens[at + 1];
    return (text !== "," && text !== ";") || !(next === undefined || /^(?:[)\]}]|\/\/|\/\*)/.test(next));
  };
  return JSON.stringify(tokens.filter(isMeant));
}

function spellingOf(text: string): string {
  if (/^["']/.test(text)) return `"${text.slice(1, -1).replaceAll(/\\(["'])/g, "$1")}"`;
  return /^\.?\d/.test(text) ? text.replaceAll("_", "") : text;
}
