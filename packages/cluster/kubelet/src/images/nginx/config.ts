/** A directive of nginx.conf: its words, and the block in its braces. */
export interface Directive {
  name: string;
  args: string[];
  block: Directive[] | undefined;
  line: number;
}

/** Thrown with the message of `nginx -t`, without the `nginx: ` before it. */
export class NginxConfigError extends Error {
  override readonly name = "NginxConfigError";
}

interface Token {
  text: string;
  line: number;
  quoted: boolean;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const [match, quoted] of text.matchAll(
    /\n|#[^\n]*|"((?:\\.|[^"\\])*)"|'(?:\\.|[^'\\])*'|[{};]|[^\s{};"'#]+/g,
  )) {
    if (match === "\n") {
      line++;
      continue;
    }
    if (match.startsWith("#")) continue;
    const isQuoted = quoted !== undefined || match.startsWith("'");
    const content = isQuoted ? unquote(match.slice(1, -1)) : match;
    tokens.push({ text: content, line, quoted: isQuoted });
    line += match.split("\n").length - 1;
  }
  return tokens;
}

function unquote(text: string): string {
  const controls: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
  return text.replaceAll(/\\(["'\\nrt])/g, (_, letter: string) => controls[letter] ?? letter);
}

/**
 * Parses the text of a configuration file. Does not replace variables.
 * @throws NginxConfigError
 */
export function parseNginxConfig(text: string, file: string): Directive[] {
  const tokens = tokenize(text);
  let at = 0;

  function block(depth: number): Directive[] {
    const directives: Directive[] = [];
    let words: Token[] = [];
    for (; at < tokens.length; at++) {
      const token = tokens[at] as Token;
      const mark = token.quoted ? "" : token.text;
      const unexpected = () => new NginxConfigError(`unexpected "${mark}" in ${file}:${token.line}`);
      if (mark === ";" || mark === "{") {
        const [first, ...rest] = words;
        if (first === undefined) throw unexpected();
        const directive: Directive = {
          name: first.text,
          args: rest.map((word) => word.text),
          block: undefined,
          line: first.line,
        };
        if (mark === "{") {
          at++;
          directive.block = block(depth + 1);
        }
        directives.push(directive);
        words = [];
      } else if (mark === "}") {
        if (depth === 0 || words.length > 0) throw unexpected();
        return directives;
      } else words.push(token);
    }
    const missing = words.length > 0 ? '";" or "}"' : '"}"';
    if (depth > 0 || words.length > 0)
      throw new NginxConfigError(
        `unexpected end of file, expecting ${missing} in ${file}:${tokens.at(-1)?.line ?? 1}`,
      );
    return directives;
  }

  return block(0);
}
