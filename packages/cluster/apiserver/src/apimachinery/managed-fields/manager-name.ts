const maximumBytes = 128;
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * Returns the manager of a request without fieldManager: the beginning of its user agent, printable and at
 * most 128 bytes.
 */
export function managerFromUserAgent(userAgent: string): string {
  let name = "";
  let bytes = 0;
  for (const character of userAgent.split("/")[0] ?? "") {
    if (unprintable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > maximumBytes) break;
    name += character;
  }
  return name;
}

/**
 * Returns what is wrong with the name of a manager: a real server's messages, each with the type of its
 * cause.
 */
export function managerNameProblems(name: string): { reason: string; message: string }[] {
  const problems: { reason: string; message: string }[] = [];
  if (Buffer.byteLength(name) > maximumBytes) {
    problems.push({
      reason: "FieldValueTooLong",
      message: `Too long: may not be more than ${maximumBytes} bytes`,
    });
  }
  let position = 0;
  for (const character of name) {
    if (unprintable.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      problems.push({
        reason: "FieldValueInvalid",
        message: `Invalid value: ${goQuote(name)}: invalid character U+${code} (at position ${position})`,
      });
    }
    position += Buffer.byteLength(character);
  }
  return problems;
}

/** Quotes like Go's %q, whose escapes of control characters differ from those of JSON. */
function goQuote(text: string): string {
  return JSON.stringify(text)
    .replaceAll("\\u0007", "\\a")
    .replaceAll("\\u000b", "\\v")
    .replace(/\\u00([01][0-9a-f])/g, "\\x$1")
    .replaceAll("\u007f", "\\x7f");
}
