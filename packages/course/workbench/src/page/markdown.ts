import { questionMark, terminalMark } from "@operator-path/walkthrough";
import MarkdownIt from "markdown-it";
import { escapeHtml, highlightHtml, inlineCodeHtml } from "./highlight.ts";

export type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** Parses and renders the Markdown of a page. */
export interface PageMarkdown {
  parse(markdown: string): Token[];
  /** Renders whole blocks as HTML that holds no script, no style and no URL but http(s) links. */
  render(tokens: readonly Token[]): string;
}

/**
 * Returns a renderer for pages. Parsing leaves out what is marked as for terminals. HTML of the page is shown as text,
 * except `<br>`. Links to other sites open in a new tab, links to headings and pages stay, and paths of files are
 * shown without a link.
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
  rules.code_inline = (tokens, at) => inlineCodeHtml(tokens[at]?.content ?? "");
  rules.link_open = (tokens, at) => openLink(String(tokens[at]?.attrGet("href") ?? ""), pageOf);
  return {
    parse: (text) => withoutTerminalOnly(markdown.parse(text, {})).map(withoutQuestionMark),
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

/** Reports whether the paragraph of an inline token asks the learner to predict what comes next. */
export function asksLearner(inline: Token | undefined): boolean {
  return inline?.meta?.asksLearner === true;
}

/** Takes the mark of a question out of what is shown, and notes it. */
function withoutQuestionMark(token: Token): Token {
  const { children } = token;
  if (children?.at(-1)?.content !== questionMark) return token;
  children.pop();
  const last = children.at(-1);
  if (last?.type === "text") last.content = last.content.trimEnd();
  token.meta = { asksLearner: true };
  return token;
}

function withoutTerminalOnly(tokens: readonly Token[]): Token[] {
  const left: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) continue;
    if (isTerminalOnly(tokens, at))
      at = tokens.findIndex(({ nesting, level }, i) => i > at && nesting === -1 && level === token.level);
    // All items of this list are left out.
    else if (/list_close$/.test(token.type) && /list_open$/.test(left.at(-1)?.type ?? "")) left.pop();
    else left.push(token);
  }
  return left;
}

function isTerminalOnly(tokens: readonly Token[], at: number): boolean {
  const text = { paragraph_open: tokens[at + 1], list_item_open: tokens[at + 2] }[tokens[at]?.type ?? ""];
  return text?.children?.some(({ content }) => content === terminalMark) ?? false;
}
