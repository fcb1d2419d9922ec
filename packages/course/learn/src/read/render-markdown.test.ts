import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const page = `---
title: A page
---

# A page

See **this** and \`that\` in [a file](file.ts) and [the docs](https://example.com/docs), in a line that is long.

- one
- two
  1. inner

| Kind | What it is for, in a cell that needs several lines |
|-|-|
| Pod | \`kubectl get pods\` |

<details><summary>Hint</summary>

Secret advice.

</details>

<!-- a note of the author -->

\`\`\`mermaid
graph LR
  a --> b
\`\`\`

\`\`\`console
$ kubectl get pods --all-namespaces
NAME   READY
\`\`\`

\`\`\`ts
const answer: number = 42; // why
\`\`\`
`;

describe("a page in the terminal", () => {
  it("is plain text without colours", () => {
    expect(renderMarkdown(page, { width: 40, color: false })).toBe(`A page

See this and \`that\` in a file and the
docs (https://example.com/docs), in a
line that is long.

- one
- two
  1. inner

Kind  What it is for, in a cell that
      needs several lines
────  ──────────────────────────────────
Pod   \`kubectl get pods\`

▸ Hint (folded: \`exercise NUMBER hint\` shows it)

┌─a diagram, as its source─┐
│ graph LR                 │
│   a --> b                │
└──────────────────────────┘

┌─ console
$ kubectl get pods --all-namespaces
NAME   READY
└─

┌─ ts
const answer: number = 42; // why
└─
`);
  });

  it("has colours for code, commands and links, and the same text", () => {
    const colored = renderMarkdown(page, { width: 40, color: true });
    expect(colored).toContain("\x1b[35mconst\x1b[39m");
    expect(colored).toContain("\x1b[1mkubectl get pods --all-namespaces\x1b[22m");
    expect(colored).toContain("\x1b[4m\x1b[34ma file\x1b[39m\x1b[24m");
    const plain = renderMarkdown(page, { width: 40, color: false });
    const words = (text: string) => text.replaceAll("`", "").split(/\s+/);
    expect(words(stripVTControlCharacters(colored))).toEqual(words(plain));
  });

  it("folds what tells a learner the solution, unless it is asked for", () => {
    const table =
      "<details><summary>Solution: each line</summary>\n\n`list` on pods\n\n</details>\n\nMore.\n";
    const folded = renderMarkdown(table, { width: 80, color: false });
    expect(folded).toBe("▸ Solution: each line (folded: --all shows it)\n\nMore.\n");
    const open = renderMarkdown(table, { width: 80, color: false, all: true });
    expect(open).toBe("▸ Solution: each line\n\n`list` on pods\n\nMore.\n");
  });

  it("names the target of a link to another document", () => {
    const text = "Read [how](../../docs/debug.md#x), [there](#here) and [`a.ts`](p/a.ts).\n";
    const folder = `${process.cwd()}/tutorials/01`;
    const shown = renderMarkdown(text, { width: 80, color: false, folder });
    expect(shown).toBe("Read how (docs/debug.md#x), there and `a.ts`.\n");
  });

  it("keeps the lines of code, however long, and their indentation", () => {
    const code = `- name: ${"a".repeat(100)}\n  value: "[..]"\n`;
    const list = `- In a list:\n\n  ~~~yaml\n${code.replaceAll(/^/gm, "  ")}\n  ~~~\n`;
    expect(renderMarkdown(`~~~yaml\n${code}~~~\n`, { width: 40, color: false })).toContain(`\n${code}`);
    expect(renderMarkdown(list, { width: 40, color: false })).toContain("a".repeat(100));
  });

  it("fits the width, and keeps every word of a paragraph", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z]{1,18}$/), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 24, max: 100 }), (list, width) => {
        const text = renderMarkdown(list.join(" "), { width, color: false });
        expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(width);
        expect(text.split(/\s+/).filter(Boolean)).toEqual(list);
      }),
    );
  });
});
