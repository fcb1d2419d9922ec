import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * Returns what is wrong with the HTML pages of a folder, as `page what`: links that lead to no file or no anchor of it,
 * and scripts, styles and images that are loaded from outside. Does not read style sheets or scripts.
 */
export function checkPages(folder: string): string[] {
  const files = new Set(globSync("**", { cwd: folder }).map((file) => file.replaceAll("\\", "/")));
  const pages = new Map(
    [...files]
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file, readPage(readFileSync(join(folder, file), "utf8"))] as const),
  );
  const leadsSomewhere = (from: string, href: string): boolean => {
    const [path = "", anchor = ""] = href.split("#");
    const target = path === "" ? from : posix.join(posix.dirname(from), decodeURIComponent(path));
    if (!files.has(target)) return false;
    return (
      anchor === "" ||
      !pages.has(target) ||
      pages.get(target)?.anchors.has(decodeURIComponent(anchor)) === true
    );
  };
  return [...pages].flatMap(([page, { links, assets }]) => [
    ...assets.filter(isOutside).map((asset) => `${page} loads ${asset} from outside`),
    ...[...links, ...assets]
      .filter((href) => !isOutside(href) && !leadsSomewhere(page, href))
      .map((href) => `${page} links to ${href}, which does not exist`),
  ]);
}

interface Page {
  readonly links: readonly string[];
  readonly assets: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

function readPage(html: string): Page {
  const tags = [...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)+)\s*\/?>/g)].map(
    ([, tag, text = ""]) => {
      const attributes = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)];
      return { tag, attributes: new Map(attributes.map(([, name, value = ""]) => [name, unescaped(value)])) };
    },
  );
  const values = (name: string, isAnchor: boolean) =>
    tags.flatMap(({ tag, attributes }) => ((tag === "a") === isAnchor ? (attributes.get(name) ?? []) : []));
  return {
    links: [...new Set(values("href", true))],
    assets: [...new Set([...values("href", false), ...values("src", false)])],
    anchors: new Set([...values("id", true), ...values("id", false)]),
  };
}

function unescaped(value: string): string {
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function isOutside(href: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
}
