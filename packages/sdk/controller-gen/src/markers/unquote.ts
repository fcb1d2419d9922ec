const simple: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

/** What a Go string literal in double quotes or back quotes, as the scanner cuts it, stands for (strconv.Unquote). */
export function unquote(literal: string): string {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("`")) return inner.replaceAll("\r", "");
  return inner.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gu,
    (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return simple[letter ?? ""] ?? "";
    },
  );
}
