/** Names of one character, whatever follows: `$12` is `${1}2`. */
const special = "*#$@!?-0123456789";

/**
 * Expands environment variables in a text, as Go's os.ExpandEnv: `$NAME` and `${NAME}`. A variable that is
 * not set becomes nothing. A dollar sign without a name stays. `$$` and an unclosed `${` are removed. Nothing
 * escapes a dollar sign.
 */
export function expandEnvironment(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  let result = "";
  let rest = text;
  for (;;) {
    const dollar = rest.indexOf("$");
    if (dollar === -1 || dollar === rest.length - 1) return result + rest;
    result += rest.slice(0, dollar);
    rest = rest.slice(dollar + 1);
    const { name, length } = nameAt(rest);
    if (name !== "") result += Object.hasOwn(environment, name) ? (environment[name] ?? "") : "";
    else if (length === 0) result += "$";
    rest = rest.slice(length);
  }
}

/** Returns the name at the start of a text, and its length there. A length without a name: remove it. */
function nameAt(text: string): { name: string; length: number } {
  const first = text[0] ?? "";
  if (first === "{") {
    const end = text.indexOf("}");
    return end === -1 ? { name: "", length: 1 } : { name: text.slice(1, end), length: end + 1 };
  }
  if (special.includes(first)) return { name: first, length: 1 };
  const name = /^\w*/.exec(text)?.[0] ?? "";
  return { name, length: name.length };
}
