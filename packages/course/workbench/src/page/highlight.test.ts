import { expect, test } from "vitest";
import { commandHtml, inlineCodeHtml } from "./highlight.ts";

const plain = (html: string): string =>
  html
    .replaceAll(/<span class="word">/g, "[")
    .replaceAll(/<span class="t-[^"]*">((?:(?!<\/span>).)*)<\/span>/g, "$1")
    .replaceAll("</span>", "]");

test("keeps each word of a command together, and its spaces", () => {
  expect(plain(commandHtml("kubectl debug $POD --container=by-hand  -- sleep 1d"))).toBe(
    "[kubectl] [debug] [$POD] [--container=by-hand]  [--] [sleep] [1d]",
  );
  expect(plain(commandHtml("cat <<END\n  a: b\nEND"))).toBe("[cat] [&lt;&lt;END]\n  [a:] [b]\n[END]");
});

test("lets a word break that may be wider than a narrow screen", () => {
  const long = "podbuggertool/src/by-hand/watch-pods.test.ts";
  expect(plain(commandHtml(`cat ${long}`))).toBe(`[cat] ${long}`);
  expect(inlineCodeHtml(long)).toBe(`<code>${long}</code>`);
});

test("keeps short code in a text together", () => {
  expect(inlineCodeHtml("-A")).toBe('<code class="word">-A</code>');
  expect(inlineCodeHtml("kubectl get")).toBe("<code>kubectl get</code>");
});
