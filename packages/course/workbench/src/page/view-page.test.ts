import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { type Block, parsePage } from "@operator-path/walkthrough";
import { describe, expect, test } from "vitest";
import type { Part } from "./page-view.ts";
import { findBlock, viewPage } from "./view-page.ts";

const fence = "```";
const front = "---\ntitle: Try\nproject: p\n---\n";

function view(body: string) {
  const page = parsePage(front + body, "page.md");
  return { page, steps: viewPage(page, { name: "t/1" }).steps };
}

function all(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => [part, ...(part.kind === "fold" ? all(part.parts) : [])]);
}

test("makes commands of a console fence, with the terminal, what is typed and what is expected", () => {
  const { steps } = view(`## S\n\n${fence}console terminal=operator\n$ echo a <b\na\n? 3\n${fence}\n`);
  expect(steps[1]).toMatchObject({ slug: "s", number: 1 });
  expect(steps[1]?.parts[0]).toMatchObject({
    ...{ kind: "commands", id: "s/1", terminal: "operator" },
    entries: [{ kind: "command", text: "echo a <b", expected: "a", exitStatus: 3 }],
  });
  expect(JSON.stringify(steps)).not.toContain("a <b</");
});

test("finds a block by id and hash, and none after the page has changed", () => {
  const body = (command: string) => `## S\n\n${fence}console\n$ ${command}\n${fence}\n`;
  const { page, steps } = view(body("true"));
  const [part] = steps[1]?.parts ?? [];
  const { id = "", hash = "" } = part?.kind === "commands" ? part : {};
  expect(findBlock(page, id, hash)).toBe(page.steps[0]?.blocks[0]);
  expect(findBlock(page, "s/2", hash)).toBeUndefined();
  expect(findBlock(view(body("rm -rf x")).page, id, hash)).toBeUndefined();
});

test("shows HTML of a page as text, and links only to pages, headings and other sites", () => {
  const { steps } = view(
    [
      "## S\n\n<script>alert(1)</script>\n\nHi <img src=x onerror=alert(1)> <b onclick=x>b</b>.<br/>Next",
      "[a](javascript:alert(1)) [b](https://example.com) [c](#s) [d](p/x.ts) ![e](https://example.com/x.png)",
    ].join("\n\n"),
  );
  const html = all(steps.flatMap(({ parts }) => parts))
    .map((part) => ("html" in part ? part.html : ""))
    .join("");
  expect(html).not.toMatch(/<(?:script|img|b)\b|href="(?!https:\/\/example\.com"|#s")/);
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain('<a href="https://example.com" target="_blank" rel="noopener noreferrer">b</a>');
  expect(html).toContain("<br>");
});

test("leaves out paragraphs and list items that are marked as for terminals", () => {
  const { steps } = view(
    "## S\n\nDone.\n\nLeave the shell. <!-- terminal -->\n\n- One.\n- Two,\n  three. <!-- terminal -->\n- Four.\n\n1. Five. <!-- terminal -->\n",
  );
  expect(steps[1]?.parts).toEqual([
    { kind: "text", html: "<p>Done.</p>\n<ul>\n<li>One.</li>\n<li>Four.</li>\n</ul>\n" },
  ]);
});

test("folds hints and solutions, and keeps their blocks", () => {
  const { steps } = view(
    `## S\n\n<details><summary>Solution</summary>\n\nSo:\n\n\`x.ts\`\n${fence}ts file\na;\n${fence}\n\n</details>\n`,
  );
  expect(steps[1]?.parts).toMatchObject([
    { kind: "fold", summary: "Solution", parts: [{ kind: "text" }, { kind: "file", file: "x.ts" }] },
  ]);
});

test("asks the marked questions, and shows no mark", () => {
  const commands = `${fence}console\n$ true\na\n${fence}\n`;
  const { steps } = view(
    `## S\n\nWhat will it print? <!-- question -->\n\n${commands}\nWhat now?\n\n${commands}\nAnd *this*? <!-- question -->\n\nOpen a window. <!-- terminal -->\n\n${commands}`,
  );
  expect(steps[1]?.parts).toMatchObject([
    { kind: "text", html: "<p>What will it print?</p>\n", question: "s?1" },
    { kind: "commands" },
    { kind: "text", html: "<p>What now?</p>\n" },
    { kind: "commands" },
    { kind: "text", html: "<p>And <em>this</em>?</p>\n", question: "s?2" },
    { kind: "commands" },
  ]);
  expect(steps[1]?.parts[2]).not.toHaveProperty("question");
});

test("begins a text at each heading within a step", () => {
  const { steps } = view("## S\n\nOne.\n\n### More\n\nTwo.\n");
  expect(steps[1]?.parts).toMatchObject([
    { kind: "text", html: "<p>One.</p>\n" },
    { kind: "text", html: expect.stringContaining("Two.") },
  ]);
});

describe("the tutorials", async () => {
  const root = join(import.meta.dirname, "../../../../..");
  const files = await Array.fromAsync(glob("tutorials/*/[0-9]-*.md", { cwd: root }));

  test.each(files.sort())("show each block of %s once", (file) => {
    const page = parsePage(readFileSync(join(root, file), "utf8"), file);
    const { steps } = viewPage(page, { name: file });
    const ids = all(steps.flatMap(({ parts }) => parts)).flatMap((part) => ("id" in part ? [part.id] : []));
    const blocks = page.steps.flatMap(({ blocks }) =>
      blocks.flatMap((block): Block[] => (block.kind === "exercise" ? [block, ...block.solution] : [block])),
    );
    expect(ids).toHaveLength(blocks.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
