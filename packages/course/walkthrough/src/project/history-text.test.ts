import { expect, it } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { recordHistory } from "./history.ts";
import { formatHistory, parseHistory } from "./history-text.ts";

const page = `---
title: One
project: p
start: empty
---

## Write

[a.txt](p/a.txt)

~~~text file
one
~~~

[b.txt](p/b.txt)

~~~text file
two
~~~
`;

it("reads the history that it has written, with the same objects where nothing has changed", async () => {
  using tutorial = temporaryTutorial({ "1-one.md": page });
  const pages = [tutorial.page("1-one.md")];
  const history = await recordHistory(pages, { root: tutorial.folder });
  const read = parseHistory(formatHistory(history, pages), pages);
  expect(read).toEqual(history);
  const [first, second] = read?.states ?? [];
  expect(first?.page).toBe(pages[0]);
  expect(second?.files.get("a.txt")).toBe(first?.files.get("a.txt"));
});

it.each(["", "no JSON", "{}", '{"versions":[],"start":[["a.txt",0]],"states":[]}'])(
  "returns undefined for %j",
  (text) => expect(parseHistory(text, [])).toBeUndefined(),
);
