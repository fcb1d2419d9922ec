/**
 * Returns the source of a Mermaid picture with blanks for what a reader does not see: the names of nodes that
 * have a label, styles, directives, comments and tags.
 */
export function shownInPicture(source: string): string {
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");
  const visible = source
    .replaceAll(
      /^\s*(?:%%|(?:flowchart|graph|[a-z]+Diagram|classDef|class|style|linkStyle|click|rect|direction)\b).*$/gm,
      blank,
    )
    .replaceAll(/<\/?[a-z][^>]*>|:::\w+/gi, blank);
  const labelled = [
    ...visible.matchAll(/(?<![\w.[({|"])([A-Za-z][\w-]*)(?=\s?(?:@\{|[[({]))/g),
    ...visible.matchAll(/^\s*(?:participant|actor)\s+(\S+)(?=\s+as\s)/gm),
    ...visible.matchAll(/"\s+as\s+(\S+)/g),
  ].map(([, id = ""]) => id);
  if (labelled.length === 0) return visible;
  const ids = labelled.map((id) => id.replaceAll(/[^\w]/g, "\\$&")).join("|");
  // Within quotes, brackets and bars is a label, which may contain the name of a node.
  return visible.replaceAll(
    new RegExp(`("[^"\\n]*"|\\|[^|\\n]*\\||:.*$)|(?<![\\w.-])(?:${ids})(?![\\w.]|-\\w)`, "gm"),
    (text, label) => (label === undefined ? blank(text) : text),
  );
}

/** A word that looks like code: `status.nodes`, `src/main.ts`, `ownerReferences`, `max_size`. */
export const codeWord =
  /(?<![\w@/.-])@?[a-z][\w-]*(?:[./]\w[\w-]*)+|(?<![\w@/.-])[a-z][a-z0-9]*(?:[A-Z]\w*|_\w+)(?![\w-])/g;
