import type MarkdownIt from "markdown-it";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** A `<details>` of the page, which GitHub folds under its summary. Lines count from 0, within the body. */
export interface Fold {
  readonly summary: string;
  /** Line of `<details>`. */
  readonly from: number;
  /** Line of `</details>`. */
  readonly to: number;
  /** The Markdown between the summary and `</details>`. */
  readonly text: string;
}

/**
 * Returns the folds of a page, in order. An unclosed fold extends to the end of the page. A fold inside
 * another is part of it.
 */
export function findFolds(tokens: readonly Token[], lines: readonly string[]): Fold[] {
  const folds: Fold[] = [];
  let open: { from: number; depth: number } | undefined;
  const close = (to: number): void => {
    if (open) folds.push(foldOf(lines, open.from, to));
    open = undefined;
  };
  for (const token of tokens) {
    if (token.type !== "html_block" || !token.map) continue;
    const [start, end] = token.map;
    for (let at = start; at < end; at++) {
      const line = lines[at] ?? "";
      for (const [tag] of line.matchAll(/<\/?details\b/gi)) {
        if (tag.startsWith("</")) {
          if (open && --open.depth === 0) close(at);
        } else if (open) open.depth++;
        else open = { from: at, depth: 1 };
      }
    }
  }
  close(lines.length);
  return folds;
}

function foldOf(lines: readonly string[], from: number, to: number): Fold {
  const whole = lines.slice(from, to + 1).join("\n");
  const summary = /<summary>([\s\S]*?)<\/summary>/i.exec(whole);
  const inside = whole.slice(summary ? summary.index + summary[0].length : 0);
  return {
    summary: (summary?.[1] ?? "").replaceAll(/<[^>]*>/g, "").trim(),
    from,
    to,
    text: inside.replace(/<\/details>\s*$/i, "").trim(),
  };
}
