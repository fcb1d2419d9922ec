/** The longest error to show, in characters. */
const longest = 300;

/**
 * Returns the message of the last error in a log, on one line. Reads the lines of `createLogger` and of Go's zap, as
 * JSON and as text. In other lines it looks for the words "error" and "forbidden".
 *
 * @param pattern errors that do not match do not count
 */
export function lastErrorIn(log: string, pattern = /./): string | undefined {
  const errors = log.split("\n").map(errorIn);
  const found = errors.findLast((error) => error !== undefined && pattern.test(error));
  return found && found.length > longest ? `${found.slice(0, longest)}…` : found;
}

function errorIn(line: string): string | undefined {
  const parsed = fieldsOf(line);
  if (parsed) return errorOf(parsed, parsed.level, parsed.msg);
  const [, level, ...parts] = line.split("\t");
  if (level !== undefined && /^[A-Z]+$/.test(level)) {
    const fields = fieldsOf(parts.at(-1) ?? "");
    return errorOf(fields ?? {}, level.toLowerCase(), parts.at(fields ? -2 : -1));
  }
  // Lines of a stack are indented.
  return /^\S.*(error\b|\bforbidden\b)|^\w*Error\b/i.test(line) ? line.trim() : undefined;
}

function errorOf({ error }: Fields, level: unknown, message: unknown): string | undefined {
  const found = error ?? (level === "error" ? message : undefined);
  return found === undefined ? undefined : String(found).replaceAll(/\s*\n\s*/g, " ");
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(text: string): Fields | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
