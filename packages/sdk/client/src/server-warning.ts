/** A warning that the API server attached to an answer: an unknown field, a deprecated version (KEP-1693). */
export interface ServerWarning {
  /** 299 for every warning of an API server; proxies send others. */
  readonly code: number;
  /** Who warns, or "-" when it does not say. */
  readonly agent: string;
  readonly text: string;
}

/** Handles a warning; `request` is the request that it answers (client-go: rest.WarningHandlerWithContext). */
export type WarningHandler = (
  warning: ServerWarning,
  request: { readonly method: string; readonly path: string },
) => void;

/** Texts that are remembered, so that a server which never repeats itself does not fill the memory. */
const mostTexts = 1000;

/**
 * Returns a handler that writes each distinct text once (client-go: rest.NewWarningWriter with Deduplicate), and skips
 * warnings of proxies.
 *
 * @param write Gets the text without a newline
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

/** Parses the value of a `Warning` header (RFC 7234, 5.5), and skips what does not parse. */
export function parseWarnings(header: string): ServerWarning[] {
  const values = header.matchAll(/(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,\s*|$)/g);
  return Array.from(values, ([, code, agent = "-", text = ""]) => ({
    code: Number(code),
    agent,
    text: text.replaceAll(/\\(.)/g, "$1"),
  }));
}
