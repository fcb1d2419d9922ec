import { tokenizeWith } from "@speed-highlight/core/tokenize";
import { languages } from "./languages.ts";

/** Returns code as HTML, with a `span` of class `t-…` for each token. Unknown languages stay plain. */
export function highlightHtml(code: string, language: string): string {
  const known = languages[language.toLowerCase()];
  if (known === undefined) return escapeHtml(code);
  let html = "";
  tokenizeWith(code, known, (part, token) => {
    html += token === undefined ? escapeHtml(part) : `<span class="t-${token}">${escapeHtml(part)}</span>`;
  });
  return html;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
