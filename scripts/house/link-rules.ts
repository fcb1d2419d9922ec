import { posix } from "node:path";
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt();

/** What is in the repository: paths of files from its root, and their text. */
export interface Repository {
  readonly files: ReadonlySet<string>;
  read(file: string): string;
}

/** Relative links of a Markdown file that lead nowhere, as `file:line what`: to no file, no folder, no heading. */
export function checkLinks(file: string, repository: Repository): string[] {
  return linksOf(repository.read(file)).flatMap(({ href, line }) =>
    leadsSomewhere(file, href, repository) ? [] : [`${file}:${line} links to ${href}, which is not there`],
  );
}

function leadsSomewhere(file: string, href: string, { files, read }: Repository): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return true;
  const [path = "", anchor] = decodeURIComponent(href).split("#");
  const target = path === "" ? file : posix.join(posix.dirname(file), path).replace(/\/$/, "");
  if (!files.has(target)) return target === "." || [...files].some((each) => each.startsWith(`${target}/`));
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(read(target)).has(anchor);
}

function linksOf(text: string): { href: string; line: number }[] {
  return markdown.parse(text, {}).flatMap(({ children, map }) => {
    let line = (map?.[0] ?? 0) + 1;
    return (children ?? []).flatMap((token) => {
      if (token.type === "softbreak" || token.type === "hardbreak") line++;
      const href = token.attrGet("href") ?? token.attrGet("src");
      return href === null ? [] : [{ href: String(href), line }];
    });
  });
}

/** GitHub's: lower case, punctuation dropped, spaces to hyphens, `-1` for the second of a name. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const tokens = markdown.parse(text, {});
  const headings = tokens.filter((_, index) => tokens[index - 1]?.type === "heading_open");
  const anchors = headings.map(({ children }) => {
    const title = (children ?? []).map(({ content }) => content).join("");
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}
