const keywords = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const signs: Record<string, string> = { __: "underscores", ".": "dot", "-": "dash", "/": "slash" };
const names = Object.fromEntries(Object.entries(signs).map(([sign, name]) => [name, sign]));

/**
 * Returns a property's name in expressions: `namespace` is `__namespace__`, `a-b` is `a__dash__b` (Escape of
 * k8s.io/apiserver/pkg/cel). Returns undefined for a property that expressions cannot name.
 */
export function escapeName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_](?:[A-Za-z0-9_./-]*)$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (sign) => `__${signs[sign]}__`);
}

/** Returns the property of a name in expressions. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes("__")) return name;
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  if (keyword !== undefined && keywords.has(keyword)) return keyword;
  let known = true;
  const plain = name.replace(/__([a-z]+)__/g, (whole, word: string) => {
    if (!Object.hasOwn(names, word)) known = false;
    return names[word] ?? whole;
  });
  return known && !/__(?!.)/.test(plain.replaceAll("__", "")) ? plain : undefined;
}
