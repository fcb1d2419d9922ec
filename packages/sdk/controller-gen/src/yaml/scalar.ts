/** The styles that libyaml's emitter allows for a scalar. */
interface ScalarForms {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly literal: boolean;
}

export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** Returns the style in which go-yaml v2 writes a string. It never writes keys as blocks. */
export function styleOf(value: string, isKey: boolean): ScalarStyle {
  const forms = formsOf(value);
  if (value.includes("\n")) return forms.literal && !isKey ? "literal" : "double";
  if (looksLikeOtherType(value)) return "double";
  if (forms.plain) return "plain";
  return forms.singleQuoted ? "single" : "double";
}

export function isBreak(character: string): boolean {
  return /[\r\n\u0085\u2028\u2029]/.test(character);
}

/** Returns whether go-yaml v2 considers a character printable. Tabs and characters above U+FFFF are not. */
export function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}

function formsOf(value: string): ScalarForms {
  if (value === "") return { plain: true, singleQuoted: true, literal: false };
  const characters = [...value];
  const special = characters.some((character) => !isPrintable(character));
  const spaceBeforeBreak = / [\r\n\u0085\u2028\u2029]/.test(value);
  const spaceAfterBreak = /[\r\n\u0085\u2028\u2029] /.test(value);
  const broken = characters.some(isBreak);
  const spaceAtEnd = value.endsWith(" ");
  const blankEdge =
    spaceAtEnd || value.startsWith(" ") || isBreak(value.at(0) ?? "") || isBreak(value.at(-1) ?? "");
  const quotes = special || spaceBeforeBreak;
  return {
    plain: !(quotes || broken || blankEdge || spaceAfterBreak || hasIndicator(value)),
    singleQuoted: !(quotes || spaceAfterBreak),
    literal: !(quotes || spaceAtEnd),
  };
}

/** Returns whether the text contains characters with a meaning in YAML at their position. */
function hasIndicator(value: string): boolean {
  if (/^(?:---|\.\.\.)/.test(value)) return true;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(value)) return true;
  if (/^[?:-](?:[ \t\r\n]|$)/.test(value)) return true;
  return /:(?:[ \t\r\n]|$)|[ \t\r\n]#/.test(value.slice(1)) || /^[ \t\r\n]#/.test(value);
}

const words = new Set(
  "y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF||~|null|Null|NULL|.nan|.NaN|.NAN|.inf|.Inf|.INF|+.inf|+.Inf|+.INF|-.inf|-.Inf|-.INF".split(
    "|",
  ),
);

/** Returns whether YAML 1.1 reads the text without quotes as a number, boolean, date or null. */
function looksLikeOtherType(value: string): boolean {
  if (words.has(value)) return true;
  if (/^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/.test(value)) return true;
  if (!/^[-+0-9]/.test(value)) return false;
  if (/^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(value)) return true;
  if (isTimestamp(value)) return true;
  const digits = value.replaceAll("_", "");
  return (
    /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(digits) ||
    /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(digits)
  );
}

function isTimestamp(value: string): boolean {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/.exec(
      value,
    );
  if (match === null) return false;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
