/** A warning in an answer of the API server, such as an unknown field or a deprecated version (KEP-1693). */
export interface ServerWarning {
  /** 299 for every warning of an API server. Proxies send other codes. */
  readonly code: number;
  /** The program that sent the warning, or "-" if it has no name. */
  readonly agent: string;
  readonly text: string;
}

/** Handles a warning in the answer to `request` (client-go: rest.WarningHandlerWithContext). */
export type WarningHandler = (
  warning: ServerWarning,
  request: { readonly method: string; readonly path: string },
) => void;

/** The maximum number of remembered texts. It bounds the memory if each warning has a new text. */
const mostTexts = 1000;

/**
 * Returns a handler that writes each distinct text once (client-go: rest.NewWarningWriter with Deduplicate).
 * It skips warnings from proxies.
 *
 * @param write receives the text without a newline
 */
export function warnOnce(
  write: (text: string, request: Parameters<WarningHandler>[1]) => void,
): WarningHandler {
  const seen = new Set<string>();
  return ({ code, text }, request) => {
    if (code !== 299 || text === "" || seen.has(text)) return;
    if (seen.size < mostTexts) seen.add(text);
    write(text, request);
  };
}

/** Parses the value of a `Warning` header (RFC 7234, 5.5). Skips invalid parts. */
export function parseWarnings(header: string): ServerWarning[] {
  const values = header.matchAll(/(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,\s*|$)/g);
  return Array.from(values, ([, code, agent = "-", text = ""]) => ({
    code: Number(code),
    agent,
    text: text.replaceAll(/\\(.)/g, "$1"),
  }));
}
