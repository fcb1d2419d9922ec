import { posix } from "node:path";
import type MarkdownIt from "markdown-it";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** The paragraph directly above a fence, if it only names a file. */
export interface Caption {
  readonly kind: "link" | "code";
  /** Path relative to the run's working folder, with forward slashes. */
  readonly file: string;
}

/**
 * Returns the caption of a fence: a relative link, or a path in a code span. Returns undefined if the
 * paragraph above says more, or is missing. Throws an Error without a place if a path in a code span
 * leaves the learner's folder: the caller knows the line.
 *
 * @param fence index of the fence
 * @param project the learner's folder, where paths in code spans start
 */
export function captionAbove(tokens: readonly Token[], fence: number, project: string): Caption | undefined {
  const inline = tokens[fence - 2];
  if (tokens[fence - 1]?.type !== "paragraph_close" || inline?.type !== "inline") return undefined;
  const children = (inline.children ?? []).filter(
    (child) => !(child.type === "text" && child.content.trim() === ""),
  );
  const [first] = children;
  if (first?.type === "code_inline" && children.length === 1) return codeCaption(first.content, project);
  if (first?.type !== "link_open" || children.at(-1)?.type !== "link_close") return undefined;
  if (children.filter((child) => child.type === "link_open").length !== 1) return undefined;
  const href = String(first.attrGet("href") ?? "");
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("#") || href.startsWith("/")) return undefined;
  const file = decodeURIComponent(href.replace(/#.*$/, "")).replace(/^\.\//, "").replace(/\/$/, "");
  return { kind: "link", file };
}

/** A code span with a blank is a command or a sentence, and no path. */
function codeCaption(path: string, project: string): Caption | undefined {
  if (/\s/.test(path)) return undefined;
  if (posix.isAbsolute(path) || posix.normalize(path).split("/")[0] === "..")
    throw new Error(
      `the caption \`${path}\` leaves the learner's folder: write a path that starts in it, or a link`,
    );
  return { kind: "code", file: posix.join(project, path).replace(/\/$/, "") };
}
