import { tokenizeWith } from "@speed-highlight/core/tokenize";
import { languages } from "./languages.ts";

/** Returns code as HTML, with a `span` of class `t-…` for each token. Unknown languages stay plain. */
export function highlightHtml(code: string, language: string): string {
  const known = languages[language.toLowerCase()];
  if (known === undefined) return escapeHtml(code);
  let html = "";
  tokenizeWith(code, known, (part, token) => {
    html += tokenHtml(part, token);
  });
  return html;
}

function tokenHtml(part: string, token: string | undefined): string {
  return token === undefined ? escapeHtml(part) : `<span class="t-${token}">${escapeHtml(part)}</span>`;
}

/** A longer word may be wider than the page on a narrow screen. In characters. */
const longestWord = 32;

/**
 * Returns a command as HTML. Each word is in a `span` of class `word`, which no line break divides: half an option on
 * the next line reads like two of them.
 */
export function commandHtml(command: string): string {
  let html = "";
  let word = "";
  let length = 0;
  const endWord = (): void => {
    html += length > longestWord ? word : `<span class="word">${word}</span>`;
    word = "";
    length = 0;
  };
  tokenizeWith(command, languages.bash ?? [], (part, token) => {
    for (const piece of part.split(/(\s+)/).filter(Boolean)) {
      if (/^\s/.test(piece)) {
        if (length > 0) endWord();
        html += piece;
        continue;
      }
      length += piece.length;
      word += tokenHtml(piece, token);
    }
  });
  if (length > 0) endWord();
  return html;
}

/** Returns code within a text as HTML. No line break divides a short one without spaces. */
export function inlineCodeHtml(code: string): string {
  const isWord = code.length <= longestWord && !/\s/.test(code);
  return `<code${isWord ? ' class="word"' : ""}>${escapeHtml(code)}</code>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
