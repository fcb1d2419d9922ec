import MarkdownIt from "markdown-it";
import { escapeHtml, highlightHtml } from "./highlight.ts";

export type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** Parses and renders the Markdown of a page. */
export interface PageMarkdown {
  parse(markdown: string): Token[];
  /** Renders whole blocks as HTML that holds no script, no style and no URL but http(s) links. */
  render(tokens: readonly Token[]): string;
}

/**
 * Returns a renderer for pages. HTML of the page is shown as text, except `<br>`. Links to other sites open in
 * a new tab, links to headings and pages stay, and paths of files are shown without a link.
 *
 * @param pageOf returns the name of the page in a Markdown file, if it is one
 */
export function pageMarkdown(pageOf: (file: string) => string | undefined): PageMarkdown {
  const markdown = new MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  const asText = (tokens: Token[], at: number): string => {
    const { content = "" } = tokens[at] ?? {};
    return /^<br ?\/?>\s*$/.test(content) ? "<br>" : escapeHtml(content);
  };
  rules.html_block = asText;
  rules.html_inline = asText;
  // An image would load a file that the server does not offer. Its description says what it shows.
  rules.image = (tokens, at) => escapeHtml(tokens[at]?.content ?? "");
  rules.fence = (tokens, at) => {
    const { content = "", info = "" } = tokens[at] ?? {};
    return `<pre tabindex="0"><code>${highlightHtml(content, info.split(" ")[0] ?? "")}</code></pre>`;
  };
  rules.link_open = (tokens, at) => openLink(String(tokens[at]?.attrGet("href") ?? ""), pageOf);
  return {
    parse: (text) => markdown.parse(text, {}),
    render: (tokens) => markdown.renderer.render([...tokens], markdown.options, {}),
  };
}

function openLink(href: string, pageOf: (file: string) => string | undefined): string {
  if (/^https?:\/\//.test(href))
    return `<a href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer">`;
  if (href.startsWith("#")) return `<a href="${escapeHtml(href)}">`;
  const page = pageOf(decodeURIComponent(href.replace(/#.*$/, "")));
  return page === undefined
    ? `<a title="${escapeHtml(href)}">`
    : `<a href="#" data-page="${escapeHtml(page)}">`;
}
