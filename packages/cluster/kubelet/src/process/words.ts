export interface Words {
  /** Words without quotes and with expanded variables. */
  readonly words: string[];
  /** Syntax that needs a shell: `&&`, `|`, `>`, `;`, `$(`, a glob. Undefined: no such syntax. */
  readonly operator: string | undefined;
}

/**
 * Splits a line as a POSIX shell and a Dockerfile do: spaces, 'literal', "with $VARIABLES", \escapes,
 * ${NAME:-default} and ${NAME:+alternative}. An unknown variable is empty.
 */
export function splitWords(text: string, variable: (name: string) => string | undefined): Words {
  const words: string[] = [];
  let word: string | undefined;
  let operator: string | undefined;
  let quote: "'" | '"' | undefined;
  const put = (part: string) => {
    word = (word ?? "") + part;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (quote === "'") {
      if (char === "'") quote = undefined;
      else put(char);
    } else if (char === "\\" && i + 1 < text.length) {
      const next = text[++i] as string;
      put(quote === '"' && !'"\\$`\n'.includes(next) ? `\\${next}` : next === "\n" ? "" : next);
    } else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === "'" || char === '"')) {
      quote = char;
      put("");
    } else if (char === "$") {
      const { value, length, isCommand } = expandAt(text.slice(i), variable);
      if (isCommand) operator ??= "$(";
      put(value);
      i += length - 1;
    } else if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      if (quote === undefined) operator ??= /^(?:&&|\|\||[;&|<>()`]|\*|\?)/.exec(text.slice(i))?.[0];
      if (quote === '"' && char === "`") operator ??= "`";
      put(char);
    }
  }
  if (word !== undefined) words.push(word);
  return { words, operator };
}

/** Replaces variables and keeps everything else, for the parts of a Dockerfile that are not split. */
export function expandVariables(text: string, variable: (name: string) => string | undefined): string {
  return splitWords(`"${text.replaceAll('"', '\\"')}"`, variable).words.join("");
}

function expandAt(text: string, variable: (name: string) => string | undefined) {
  if (text.startsWith("$(")) return { value: "$", length: 1, isCommand: true };
  const plain = /^\$([A-Za-z_]\w*)/.exec(text);
  if (plain?.[1]) return { value: variable(plain[1]) ?? "", length: plain[0].length, isCommand: false };
  const braces = /^\$\{([A-Za-z_]\w*)(?:(:?[-+])([^}]*))?\}/.exec(text);
  if (!braces?.[1]) return { value: "$", length: 1, isCommand: false };
  const [whole, name, how, other = ""] = braces;
  const value = variable(name);
  const isSet = value !== undefined && (!how?.startsWith(":") || value !== "");
  const expanded = how?.endsWith("-")
    ? isSet
      ? value
      : other
    : how?.endsWith("+")
      ? isSet
        ? other
        : ""
      : value;
  return { value: expanded ?? "", length: whole.length, isCommand: false };
}
