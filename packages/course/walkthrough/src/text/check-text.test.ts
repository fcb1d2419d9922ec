import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parsePage } from "../page/parse.ts";
import { problemsOf, scale } from "../testing/text-problems.ts";
import { acceptTexts } from "./accepted.ts";
import { checkText } from "./check-text.ts";

describe("code spans", () => {
  test.each([
    ["a command that the page runs", "`kubectl scale deployment app --replicas=3`"],
    ["a word of an output", "`deployment.apps/app`"],
    ["a file of the tutorial", "`src/wait.ts`"],
    ["a name in a file of the tutorial", "`atMost`"],
    ["a path of YAML", "`spec.template.spec.securityContext.runAsUser: 65532`"],
    ["a target of a Makefile", "`make deploy`"],
    ["targets of a Makefile, and a variable", "`make test deploy IMG=…`"],
    ["a name of the libraries", "`requeueAfter`"],
    ["something left out", "`kubectl scale … --replicas=3`"],
  ])("may be %s", (_, span) => {
    expect(problemsOf(`Look at ${span}.\n\n${scale}`)).toEqual([]);
  });

  test.each([
    ["another word", "`requeueBefore`"],
    ["a part of a token", "`deployment.app`"],
    ["a letter less", "`src/wit.ts`"],
    ["a part of a flag", "`replicas=3 x`"],
    ["another value", "`spec.template.spec.securityContext.runAsUser: 1000`"],
    ["a missing target", "`make depoy`"],
    ["a word of a comment", "`restes`"],
    ["a variable with a value of its own", "`make deploy IMG=app:2`"],
  ])("may not be %s", (_, span) => {
    expect(problemsOf(`Look\nat ${span}.\n\n${scale}`)).toEqual([
      expect.stringMatching(
        /^1-first\.md:5: no command, file or quotation has `.*`: correct it, or claim it in .*claims\/1-first\.yaml$/,
      ),
    ]);
  });

  test("are checked in tables, hints and summaries too", () => {
    const table = "| A | B |\n|-|-|\n| x | `nope1` |\n";
    const hint = "<details><summary>Hint</summary>\n\nSee `nope2`.\n\n</details>\n";
    expect(problemsOf(`${table}\n${hint}`).map((one) => one.split("`")[1])).toEqual(["nope1", "nope2"]);
  });
});

describe("words that look like names", () => {
  test("must occur in something proven, or have a claim", () => {
    const more = { "tutorials/01-a/app/kinds.yaml": "kind: ReplicaSet\nsignal: SIGTERM\nid: UID\n" };
    expect(problemsOf("ReplicaSets get a SIGTERM. A Pod with a UID does too.", "", { more })).toEqual([]);
    expect(problemsOf("ReplicaSats get a SIGTREM, and a UDI.", "", { more })).toEqual([
      expect.stringContaining("1-first.md:4: no command, file or quotation has ReplicaSats"),
      expect.stringContaining("1-first.md:4: no command, file or quotation has SIGTREM"),
      expect.stringContaining("1-first.md:4: no command, file or quotation has UDI"),
    ]);
    const claim = '  - words: OpenShift\n    external: "a product (2026-11-23)"\n';
    expect(problemsOf("As in OpenShift.", claim)).toEqual([]);
  });
});

describe("numbers", () => {
  test.each([
    ["digits", "after 120 seconds", "120"],
    ["a word", "in seven lines", "seven"],
    ["a compound", "ten thousand Pods", "ten thousand"],
    ["twice", "told twice", "twice"],
    ["an ordinal", "the third rule", "third"],
    ["a half", "after half an hour", "half"],
    ["an article of a unit", "once a minute", "a"],
    ["a version", "since 1.16", "1.16"],
    ["a size", "a file of 5MB", "5"],
    ["a heading", "x\n\n## Two are enough", "Two"],
    ["a link's text", "see [the 4 rules](app/Makefile)", "4"],
  ])("in %s need a claim", (_, text, number) => {
    expect(problemsOf(`Text ${text}.`)).toEqual([
      expect.stringMatching(new RegExp(`"${number}" in ".*" has no source`)),
    ]);
  });

  test.each([
    ["a name with a digit", "WSL2 and v1"],
    ["a link's target", "see [the rules](app/Makefile#2)"],
    ["a tag", '<a id="3"></a>'],
    ["one and once", "one of them, once"],
    ["an ordinal and an article", "a second thing, in a file"],
  ])("do not count in %s", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    [
      "a value of a file, by a pattern",
      "for 120 seconds",
      '{ in: app/src/wait.ts, match: "atMost = (.*);", unit: ms }',
    ],
    ["a minute", "in a minute", "{ product: [60000, { in: app/src/wait.ts, count: done }], unit: ms }"],
    [
      "the same in another unit",
      "for two minutes",
      '{ in: app/src/wait.ts, match: "atMost = (.*);", unit: ms }',
    ],
    [
      "a value of YAML, by its path",
      "user 65532",
      "{ in: app/deploy.yaml, at: spec.template.spec.securityContext.runAsUser }",
    ],
    ["matches counted", "two words", '{ in: app/src/wait.ts, count: "^export" }'],
    ["lines counted", "in five lines", "{ in: app/deploy.yaml, count: lines }"],
    [
      "lines of a part",
      "in three lines",
      '{ in: app/src/wait.ts, from: function, to: "^\\\\}", count: lines }',
    ],
    ["files counted", "two files", "{ in: app/src, count: files }"],
    ["what the page shows", "of three", '{ match: "--replicas=(.)" }'],
    ["arithmetic", "six of them", '{ product: [2, { match: "--replicas=(.)" }] }'],
    ["something about", "some four", "{ difference: [{ in: app/deploy.yaml, count: lines }, 0] }"],
    ["the number of a page", "on page 2", '{ in: "2-next.md#the-second-half", number: page }'],
    ["the number of a tutorial", "tutorial 1", "{ in: 2-next.md, number: tutorial }"],
  ])("may come from %s", (_, words, source) => {
    const claim = `  - words: ${words}\n    is: ${source}\n`;
    expect(problemsOf(`It is ${words} here.\n\n${scale}`, claim)).toEqual([]);
  });

  test("may be an external or an unbound fact", () => {
    const external = '  - words: since 1.16\n    external: "the changelog (2026-11-23)"\n';
    const unbound = "  - words: three in the morning\n    unbound: a figure of speech\n";
    expect(problemsOf("It rang at three in the morning, since 1.16.", external + unbound)).toEqual([]);
    expect(problemsOf("It rang at four in the morning, since 1.17.", external + unbound)).toHaveLength(4);
  });

  test("that differ from their source are reported with both values and the line of the claim", () => {
    const claim =
      "  - words: for 130 seconds\n    is: { in: app/src/wait.ts, match: 'atMost = (.*);', unit: ms }\n";
    expect(problemsOf("It waits\nfor 130 seconds.", claim)).toEqual([
      expect.stringMatching(
        /^1-first\.md:5: "for 130 seconds": the page says 130, but its source gives 120_000 \(.*claims\/1-first\.yaml:2\)$/,
      ),
    ]);
  });
});

describe("ordered lists", () => {
  test("count from 1", () => {
    expect(problemsOf("1. a\n2. b\n   - c\n3. d\n")).toEqual([]);
    expect(problemsOf("1. a\n3. b\n")).toEqual([
      "1-first.md:5: item 2 of the list has the number 3: count from 1",
    ]);
    expect(problemsOf("2. a\n")).toEqual(["1-first.md:4: item 1 of the list has the number 2: count from 1"]);
  });
});

describe("links", () => {
  test.each([
    ["the end of its target's path", "[src/wait.ts](app/src/wait.ts)"],
    ["a folder", "[app/src](app/src)"],
    ["the number of a page", "[Page 2](2-next.md)"],
    ["a name that the file has", "[`settle`](app/src/wait.ts)"],
    ["any words", "[the rules](app/src/wait.ts)"],
    ["a site's name", "[Example.org](https://example.org/a)"],
  ])("may have %s as their text", (_, link) => {
    expect(problemsOf(`See ${link}.`)).toEqual([]);
  });

  test.each([
    ["another path", "[src/await.ts](app/src/wait.ts)", "its text is another path"],
    ["a part of a path's name", "[ait.ts](app/src/wait.ts)", "its text is another path"],
    ["another page's number", "[Page 3](2-next.md)", "which is number 2"],
    ["a name that the file does not have", "[`settles`](app/src/wait.ts)", "a file that has no settles"],
    [
      "another site's name",
      "[Example.com](https://example.org/a)",
      'the link "Example.com" leads to https://example.org/a',
    ],
  ])("may not have %s", (_, link, message) => {
    expect(problemsOf(`See ${link}.`).join("\n")).toContain(message);
  });

  test("above a fence must have their target's path as text", () => {
    expect(problemsOf("[Makefil](app/Makefile)\n\n~~~text\nIMG ?= app:1\n~~~\n").join("\n")).toContain(
      "another path",
    );
  });
});

describe("captions that are only a path", () => {
  const shown = (path: string) => `\`${path}\`\n\n~~~ts file\nexport {};\n~~~\n`;
  const frontMatter = "{ title: T, project: app }";

  test("name a file of the committed project, or one that a command names", () => {
    expect(problemsOf(shown("src/more.ts"), "", { frontMatter })).toEqual([]);
    expect(problemsOf(shown("src/mor.ts"), "", { frontMatter })).toEqual([
      "1-first.md:6: the caption `src/mor.ts` names a file that the committed project app does not have",
    ]);
    const removed = `${shown("src/once.ts")}\n~~~console\n$ rm src/once.ts\n~~~\n`;
    expect(problemsOf(removed, "", { frontMatter })).toEqual([]);
  });
});

describe("terminals", () => {
  const block = (terminal: string): string => `\n~~~console${terminal}\n$ true\n~~~\n`;
  const page = (text: string): string =>
    `Begin:\n${block("")}${block(" terminal=operator")}\n${text}\n${block(" terminal=operator")}${block("")}\nEnd.\n`;

  test("in a text are the terminals of the blocks below it, in order", () => {
    expect(problemsOf(page("In terminal 2, and then in terminal 1:"))).toEqual([]);
    expect(problemsOf(page("In terminal 2:"))).toEqual([]);
    expect(problemsOf(page("Terminals 2 and 1 say:"))).toEqual([]);
  });

  test.each([
    "In terminal 1:",
    "In terminal 3:",
    "In terminal 1, and then in terminal 2:",
    "In terminal 2, and then in terminal 2:",
  ])("rejects %j before blocks of other terminals", (text) => {
    expect(problemsOf(page(text))).toEqual([
      expect.stringContaining("the blocks that follow are of terminal 2, 1"),
    ]);
  });
});

describe("fences for reading", () => {
  const fence = "~~~text\n┌─ 2 boxes ─┐\n└─────┘\n~~~\n";
  const boxes = '  - words: 2 boxes\n    external: "a slide (2026-11-23)"\n';

  test("need a claim for each word", () => {
    expect(problemsOf(fence).join("\n")).toContain('"2" in a fence for reading is not claimed');
    expect(problemsOf(fence, boxes)).toEqual([]);
    expect(problemsOf(fence.replace("boxes", "foxes"), boxes).join("\n")).toContain(
      'the page does not say "2 boxes"',
    );
  });
});

describe("pictures", () => {
  const picture = (lines: string) =>
    `~~~mermaid\n${lines.startsWith("seq") ? "" : "flowchart LR\n"}${lines}\n~~~\n`;

  test.each([
    ["ordinary words", "  laptop[your laptop] -->|asks for Pods| server[(the server)]"],
    ["names that the page or its tutorial has", "  a[ReplicaSet] -->|requeueAfter| b[src/wait.ts]"],
    ["names of nodes", '  apiServer3["the server"] --> opWatch{it waits}\n  opWatch --> apiServer3'],
    ["what a reader does not see", "  a[x<br/>y]:::bigBox\n  style a stroke-width:3\n  %% 3 of them"],
    [
      "a participant",
      "sequenceDiagram\n  participant apiServer as the server\n  apiServer->>apiServer: waits",
    ],
  ])("may have %s without a claim", (_, lines) => {
    const more = { "tutorials/01-a/app/kinds.yaml": "kind: ReplicaSet\n" };
    expect(problemsOf(picture(lines), "", { more })).toEqual([]);
  });

  test.each([
    ["a number", "  a[waits 3 times]", '"3" in "'],
    ["a number in words", "  a[two Pods]", '"two" in "'],
    ["a number on an arrow", "  a -->|every 5 seconds| b", '"5" in "'],
    ["a number in a message", "sequenceDiagram\n  participant A as x\n  A->>A: sends 3 requests", '"3" in "'],
    ["a name by its look", "  a[ReplicaSat]", "has ReplicaSat:"],
    ["a name in code", "  a --> b[ownerReferencs]", "has ownerReferencs:"],
    ["a path", "  a[src/wit.ts]", "has src/wit.ts:"],
  ])("need a source for %s", (_, lines, message) => {
    expect(problemsOf(picture(lines))).toEqual([expect.stringContaining(message)]);
  });

  test("may have a claim for a number", () => {
    const claim = "  - words: waits 3 times\n    is: { in: app/deploy.yaml, at: spec.replicas }\n";
    expect(problemsOf(picture("  a[waits 3 times]"), claim)).toEqual([]);
    expect(problemsOf(picture("  a[waits 4 times]"), claim.replace("3 times", "4 times"))).toEqual([
      expect.stringContaining("the page says 4, but its source gives 3"),
    ]);
  });
});

describe("comments in the code that a page shows", () => {
  const claim = '  - words: for 3 seconds\n    external: "somewhere (2026-11-23)"\n';
  const shown = (comment: string, info = "ts file") =>
    `[app/src/new.ts](app/src/new.ts)\n~~~${info}\n${comment}\n~~~\n`;

  test.each([
    ["a line", "// It waits for 3 seconds."],
    ["a block", "/**\n * It waits\n * for 3 seconds.\n */"],
    ["a line of YAML", "# It waits for 3 seconds."],
  ])("%s need a claim for their numbers", (_, comment) => {
    expect(problemsOf(shown(comment), claim)).toEqual([]);
    expect(problemsOf(shown(comment)).join("\n")).toMatch(/"3" in ".*" has no source/);
    expect(problemsOf(shown(comment.replace("3", "4")), claim).join("\n")).toMatch(
      /"4" in ".*" has no source/,
    );
  });

  test("removed lines, markers and code do not", () => {
    const edit =
      " const three = 3;\n-// 3 of them\n+// +kubebuilder:validation:Maximum=3\n+/**\n+ * +kubebuilder:validation:Minimum=3\n+ */\n";
    expect(problemsOf(shown(edit, "diff"))).toEqual([]);
    expect(problemsOf(shown("+ // 3 of them", "diff")).join("\n")).toMatch(/"3" in ".*" has no source/);
  });
});

describe("front matter", () => {
  const run = (command: string) => `~~~console\n$ ${command}\n~~~\n`;
  const requires = (programs: string, command: string) =>
    problemsOf(run(command), "", { frontMatter: `{ title: T, requires: [${programs}] }` });

  test.each([
    ["helm", "helm list | grep web"],
    ["helm", '(cd "$TUTORIAL/app" && helm list)'],
    ["helm, kubectl", "A=$(kubectl get pods) B=$(command -v x) helm list; echo $(helm list) jq"],
    ["kubectl", "kubectl apply -f - <<END\nhelm list\nEND"],
    ["kubectl", "kubectl get pods -options 'a | helm' > out 2>&1 || true"],
    ["make", "WATCH=all make \\\n  run && ./helm"],
  ])("requires [%s] for %s", (programs, command) => {
    expect(requires(programs, command)).toEqual([]);
  });

  test("must list each program that a command runs, and no other", () => {
    expect(requires("kubectl, make", "kubectl get pods | jq .")).toEqual([
      "1-first.md:1: requires has make, and no command runs it: remove it",
      "1-first.md:1: a command runs jq, and requires does not have it: add it",
    ]);
  });

  test("must list the programs of the replays of earlier pages", () => {
    const before = `---\ntitle: B\n---\n${run("jq .")}\n~~~console replay\n$ helm create x\n~~~\n`.replaceAll(
      "~~~",
      "```",
    );
    const page = `---\ntitle: T\nrequires: [make]\nstart: page 1\n---\n${run("make")}`.replaceAll(
      "~~~",
      "```",
    );
    const root = mkdtempSync(join(tmpdir(), "text-test-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const at = join(root, "2-next.md");
    writeFileSync(join(root, "1-first.md"), before);
    writeFileSync(at, page);
    acceptTexts(parsePage(page, at));
    expect(
      checkText(parsePage(page, at), { root }).map(({ line, message }) => `${line}: ${message}`),
    ).toEqual(["3: a command runs helm, and requires does not have it: add it"]);
  });

  test("must have the title of the heading", () => {
    expect(problemsOf("# T\n")).toEqual([]);
    expect(problemsOf("# Another\n")).toEqual([
      '1-first.md:2: the title is "T", and the page\'s heading "Another"',
    ]);
  });
});
