/**
 * Options of Node, with every module that they load first loaded by `--import`: those come one after the other, so that
 * what another one has put before them is first of all. `--require` would come before it, and a loader of hooks would run
 * in a thread that has none of it: that one is left out.
 *
 * @param words up to the script
 */
export function laterImports(words: readonly string[]): string[] {
  const later: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const kind = kindOf(word);
    if (kind === undefined) later.push(word);
    else {
      const equals = word.indexOf("=");
      const value = equals < 0 ? words[++i] : word.slice(equals + 1);
      if (kind === "module" && value !== undefined) later.push(`--import=${value}`);
    }
  }
  return later;
}

/** What of a list of options loads modules, and what does not: `laterImports()` has been there. */
export function isImport(word: string): boolean {
  return word.startsWith("--import=");
}

function kindOf(word: string): "module" | "loader" | undefined {
  const name = word.replace(/=.*$/s, "").replaceAll("_", "-");
  if (name === "--require" || name === "-r" || name === "--import") return "module";
  return name === "--loader" || name === "--experimental-loader" ? "loader" : undefined;
}
