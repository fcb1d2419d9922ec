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

▸ Hint (folded: \`pnpm exercise\` shows it)

┌─a diagram, as its source─┐
│ graph LR                 │
│   a --> b                │
└──────────────────────────┘

  $ kubectl get pods --all-namespaces
  NAME   READY

  const answer: number = 42; // why
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
