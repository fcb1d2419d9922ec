import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { acceptTexts, compareAccepted } from "./accepted.ts";
import { claimsFileOf, readClaims } from "./claims.ts";
import { findProse } from "./prose.ts";

let folder: string | undefined;
afterEach(() => rmSync(folder ?? "", { recursive: true, force: true }));

const page = `---
title: T
creates: [namespaces/shop]
---
# T

The operator waits until each Pod is ready. Then
it does not wait any more.

## Compare

|Before|After|
|-|-|
|a loop|a queue|

~~~text
┌─ boxes ─┐
└─────────┘
~~~

~~~mermaid
flowchart LR
  a[before] --> b[after]
~~~

[a.ts](app/a.ts)

~~~ts file
// Waits.
wait();
stop();
~~~

~~~console provider=kind
$ kubectl get pods
NAME   READY
~~~

[a.go](app/a.go)

~~~go
return err
~~~
`.replaceAll("~~~", "```");

/** Changes a page after its texts were accepted. Returns its problems, as `line: message`. */
function problemsAfter(change: (source: string) => string): string[] {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "accepted-test-")));
  const path = join(folder, "1-a.md");
  acceptTexts(parsePage(page, path));
  const changed = parsePage(change(page), path);
  return problemsOf(changed);
}

function problemsOf(changed: Page): string[] {
  const { texts } = readClaims(claimsFileOf(changed));
  return compareAccepted(changed, findProse(changed), texts).map(
    ({ line, message }) => `${line}: ${message}`,
  );
}

describe("accepted texts", () => {
  test("have no problem as they are", () => {
    expect(problemsAfter((source) => source)).toEqual([]);
  });

  test.each([
    ["a plain word", 7, "does not wait", "does wait"],
    ["a cell", 14, "|a loop|a queue|", "|a queue|a loop|"],
    ["a line of a drawing", 17, "└─", "└"],
    ["a word of a picture", 22, "[after]", "[later]"],
    [
      "a line of code that a comment moves to",
      30,
      "// Waits.\nwait();\nstop();",
      "wait();\n// Waits.\nstop();",
    ],
    ["output of another cluster", 35, "READY", "STATUS"],
    ["code in another language", 42, "err", "nil"],
    ["a field of the front matter", 1, "namespaces/shop", "clusterroles/*"],
  ])("differ after a change of %s", (_, line, from, to) => {
    expect(problemsAfter((source) => source.replace(from, to))).toEqual([
      `${line}: this text differs from the accepted one: undo the change, or accept it (pnpm verify --text --accept PAGE)`,
    ]);
  });

  test("do not differ after another line break", () => {
    expect(problemsAfter((source) => source.replace("Then\nit", "Then it"))).toEqual([]);
  });

  test("are missing after a text or a step is removed", () => {
    expect(
      problemsAfter((source) => source.replace("[a.go](app/a.go)\n\n```go\nreturn err\n```\n", "")),
    ).toEqual([expect.stringMatching(/^35: a text of the step "compare" is missing here: undo/)]);
    expect(problemsAfter((source) => source.slice(0, source.indexOf("## Compare")))).toEqual([
      expect.stringMatching(/^1: a text of the step "compare" is missing here: undo/),
    ]);
  });

  test("are accepted again, and leave the claims as they are", () => {
    expect(problemsAfter((source) => source.replace("any more", "at all"))).toHaveLength(1);
    const path = join(folder ?? "", "1-a.md");
    const file = claimsFileOf(parsePage(page, path));
    writeFileSync(file, "claims:\n  - words: a loop\n    unbound: an example only\n");
    expect(acceptTexts(parsePage(page, path))).toBe(true);
    expect(readClaims(file).claims).toEqual([expect.objectContaining({ words: "a loop" })]);
    expect(acceptTexts(parsePage(page, path))).toBe(false);
    expect(problemsOf(parsePage(page, path))).toEqual([]);
  });
});
