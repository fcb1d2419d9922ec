import type { WebBundle } from "./web-bundle.ts";

/** What the page needs besides its bundle. */
export interface PageOptions {
  readonly title: string;
  /** The language of the page's text. Default "en". */
  readonly language?: string;
  /**
   * Whether elements and `<style>` may have styles of their own. Scripts never may. Default false. Terminal
   * emulators need it.
   */
  readonly inlineStyles?: boolean;
}

/** Returns the HTML that loads a bundle. It has no inline script, which the security policy would refuse. */
export function renderPage(bundle: WebBundle, csrfToken: string, options: PageOptions): string {
  const styles = bundle.styles.map((path) => `<link rel="stylesheet" href="${path}">`);
  const fonts = [...bundle.files.keys()]
    .filter((path) => bundle.preload.some((name) => path.includes(name)))
    .map((path) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${path}">`);
  return `<!doctype html>
<html lang="${options.language ?? "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="csrf-token" content="${csrfToken}">
<title>${escapeHtml(options.title)}</title>
<link rel="icon" href="data:,">
${[...fonts, ...styles].join("\n")}
<script type="module" src="${bundle.script}"></script>
</head>
<body><div id="app"></div></body>
</html>
`;
}

/** Returns a page with one message, for a browser without a session. Links from elsewhere carry no cookie. */
export function renderRefusal(message: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>No session</title>
<h1>No session</h1>
<p>${escapeHtml(message)}.</p>
<p>If you came here from a link and already have a session: <a href="/">continue</a>.</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
