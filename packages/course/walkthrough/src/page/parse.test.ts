import { expect, test } from "vitest";
import { checkLinks } from "./links.ts";
import { parsePage } from "./parse.ts";

const front = "---\ntitle: Try\n---\n";
const fence = "```";

function errorOf(body: string, head = front): string {
  try {
    parsePage(head + body, "page.md");
    return "no error";
  } catch (error) {
    return (error as Error).message;
  }
}

test("makes a step of each level-2 heading, named by its GitHub anchor", () => {
  const page = parsePage(
    `${front}# Try\n\n## \`get\` it, now!\n\n${fence}console\n$ true\n${fence}\n\n## Clean up\n`,
    "page.md",
  );
  expect(page.steps.map(({ slug, cleanUp, line }) => ({ slug, cleanUp, line }))).toEqual([
    { slug: "get-it-now", cleanUp: false, line: 6 },
    { slug: "clean-up", cleanUp: true, line: 12 },
  ]);
});

test("makes a fence below a link on its own line a file of the learner", () => {
  const blocks = ["ts file", "diff", "yaml", "tree"]
    .map((info) => `[\`x\`](p/x.ts)\n\n${fence}${info}\na\n${fence}\n`)
    .join("\n");
  const page = parsePage(
    `${front}## S\n\n${blocks}\nSee [x](p/x.ts):\n\n${fence}text\nreading only\n${fence}\n`,
    "page.md",
  );
  expect(page.steps[0]?.blocks.map(({ kind }) => kind)).toEqual(["write", "edit", "quotation", "tree"]);
  expect(page.steps[0]?.blocks[0]).toMatchObject({ file: "p/x.ts", content: "a\n", line: 8, endLine: 10 });
});

test("makes a fence below a path in code a file of the learner's folder", () => {
  const blocks = ["ts file", "diff", "yaml", "tree"]
    .map((info) => `\`./src/x.ts\`\n\n${fence}${info}\na\n${fence}\n`)
    .join("\n");
  const sentences = ["See `x.ts`:", "`make x`", "`x.ts` `y.ts`"].map(
    (text) => `${text}\n\n${fence}text\nreading only\n${fence}\n`,
  );
  const page = parsePage(
    `---\ntitle: Try\nproject: p\n---\n## S\n\n${blocks}\n${sentences.join("\n")}`,
    "page.md",
  );
  expect(page.steps[0]?.blocks.map(({ kind }) => kind)).toEqual(["write", "edit", "quotation", "tree"]);
  expect(page.steps[0]?.blocks[0]).toMatchObject({ file: "p/src/x.ts", caption: "code", line: 9 });
});

test.each([
  ["output", `${fence}console\n$ true\na\n${fence}\n`],
  ["an exit status", `${fence}console\n$ false\n? 1\n${fence}\n`],
  ["output of a second fence", `${fence}console\n$ true\n${fence}\n\n${fence}console\n$ true\na\n${fence}\n`],
  ["a text below", `${fence}console\n$ true\n${fence}\n\nIt did nothing.\n`],
  [
    "output below a paragraph for terminals",
    `In 2. <!-- terminal -->\n\n${fence}console\n$ true\na\n${fence}\n`,
  ],
])("accepts a question that %s answers", (_, below) => {
  const page = parsePage(`${front}## S\n\nWhat now? <!-- question -->\n\n${below}`, "page.md");
  expect(page.steps).toHaveLength(1);
});

test.each(["../q/x.ts", "src/../../x.ts", "/etc/hosts"])(
  "rejects the caption `%s`, which leaves the learner's folder",
  (path) => {
    expect(errorOf(`\`${path}\`\n\n${fence}ts file\na\n${fence}\n`)).toBe(
      `page.md:6: the caption \`${path}\` leaves the learner's folder: write a path that starts in it, or a link`,
    );
  },
);

test.each([
  [
    "no front matter",
    "",
    "# x",
    'page.md:1: a page begins with front matter: "---", at least "title: …", "---"',
  ],
  [
    "an unknown field",
    "---\ntitle: x\nminuts: 3\n---\n",
    "",
    'page.md:3: front matter has no field "minuts"; did you mean "minutes"?',
  ],
  [
    "an unknown field that resembles none",
    "---\ntitle: x\nauthor: 3\n---\n",
    "",
    'page.md:3: front matter has no field "author"; there are title, summary, minutes',
  ],
  [
    "a misspelt language",
    front,
    `${fence}consol\n$ true\n${fence}\n`,
    "page.md:4: nothing proves this `consol` fence; did you mean `console`?",
  ],
  ["an unclosed fence", front, `## S\n\n${fence}console\n$ true\n`, "page.md:6: this fence is never closed"],
  [
    "a nested fence",
    front,
    `${fence}console\n$ true\n${fence}yaml\na: 1\n${fence}\n`,
    "page.md:6: a fence inside the fence of line 4",
  ],
  [
    "a question without an answer",
    front,
    `## S\n\nWhat now? <!-- question -->\n\nNothing.\n`,
    "page.md:6: this question has no answer: directly below it, put a `console` fence",
  ],
  [
    "a question above commands that show nothing, at the end of a step",
    front,
    `## S\n\nWhat now? <!-- question -->\n\n${fence}console\n$ true\n${fence}\n\n## T\n`,
    "page.md:6: this question has no answer",
  ],
  [
    "the mark of a question in a list",
    front,
    `## S\n\n- What now? <!-- question -->\n\n${fence}console\n$ true\na\n${fence}\n`,
    "page.md:6: <!-- question --> goes at the end of a paragraph's last line",
  ],
  [
    "the mark of a question on a line of its own",
    front,
    `## S\n\nWhat now?\n<!-- question -->\n\n${fence}console\n$ true\na\n${fence}\n`,
    "page.md:7: <!-- question --> goes at the end of a paragraph's last line",
  ],
  [
    "a misspelt mark",
    front,
    `## S\n\nWhat\nnow? <!-- questoin -->\n\n${fence}console\n$ true\na\n${fence}\n`,
    'page.md:7: "<!-- questoin -->" means nothing to the runner; did you mean "<!-- question -->"?',
  ],
  [
    "a misspelt Clean up",
    front,
    "## S\n\n## Cleanup\n",
    'page.md:6: "cleanup" means nothing to the runner; did you mean "clean-up"?',
  ],
  [
    "a misspelt hint",
    front,
    "## S\n\n<details><summary>Hintt</summary>\n\nLook.\n\n</details>\n",
    'page.md:6: "Hintt" means nothing to the runner; did you mean "Hint"?',
  ],
  [
    "an unknown word",
    front,
    `${fence}console runing\n$ true\n${fence}\n`,
    'page.md:4: unknown word "runing" in the fence\'s info string; did you mean "running"?',
  ],
  [
    "a fence of code that nothing proves",
    front,
    `Read this:\n\n${fence}ts\nconst a = 1;\n${fence}\n`,
    "page.md:6: nothing proves this `ts` fence: quote a file",
  ],
  [
    "a diff that no link names",
    front,
    `<details><summary>Hint</summary>\n\n${fence}diff\n+a\n${fence}\n\n</details>\n`,
    "page.md:6: nothing proves this `diff` fence: quote a file",
  ],
  [
    "a misspelt wildcard",
    front,
    `${fence}console\n$ true\na [...] b\n${fence}\n`,
    'page.md:6: "[...]" is not a wildcard',
  ],
  [
    "a misspelt name",
    front,
    `${fence}console\n$ true\na [..name..] b\n${fence}\n`,
    'page.md:6: "[..name..]" is not a wildcard',
  ],
  [
    "a typographic ellipsis",
    front,
    `${fence}console\n$ true\n…\n${fence}\n`,
    'page.md:6: "…" is not a wildcard',
  ],
  [
    "output without a command",
    front,
    `${fence}console\nhello\n${fence}\n`,
    "page.md:5: output without a command",
  ],
  [
    "an open heredoc",
    front,
    `${fence}console\n$ cat <<END\nhello\n${fence}\n`,
    "page.md:5: the command goes on",
  ],
  [
    "a file without a link",
    front,
    `text\n\n${fence}ts file\na\n${fence}\n`,
    'page.md:6: "file" needs a line above the fence that is only a link',
  ],
  [
    "a duration",
    front,
    `${fence}console timeout=5\n$ true\n${fence}\n`,
    "page.md:4: timeout=5 is not a duration",
  ],
  [
    "a provider",
    front,
    `${fence}console provider=embedded,knd\n$ true\n${fence}\n`,
    'page.md:4: provider=embedded,knd: there is no provider "knd"; there are embedded, envtest, kind, existing',
  ],
  [
    "no output beside output",
    front,
    `${fence}console\n$ true\n(no output)\nhello\n${fence}\n`,
    'page.md:7: "(no output)" is beside expected output',
  ],
])("reports %s with its place", (_, head, body, message) => {
  expect(errorOf(body, head)).toContain(message);
});

test.each([
  ["replay running", "$ sleep 1", /"replay" and "running" do not go together/],
  ["replay terminal=two", "$ true", /"replay" and "terminal" do not go together/],
  ["replay", "$ false\n? 1", /"replay" is for commands that succeed/],
  ["replay", "$ cat\n^D", /"replay" is for commands that succeed/],
  ["reply", "$ true", /unknown word "reply".*did you mean "replay"/],
])("rejects a fence %j with %j", (info, content, message) => {
  const markdown = `---\ntitle: T\n---\n\n\`\`\`console ${info}\n${content}\n\`\`\`\n`;
  expect(() => parsePage(markdown, "page.md")).toThrow(message);
});

test("suggests the nearest heading for a link to a missing one", () => {
  const of = (body: string) => checkLinks(parsePage(front + body, "page.md"));
  expect(of("## Create it\n\nSee [above](#create-it).\n")).toBeUndefined();
  expect(of("## Create it\n\n## Clean up\n\nSee [above](#creat-it).\n")).toMatchObject({
    line: 8,
    message: 'the link "#creat-it" leads to no heading of the page; did you mean "#create-it"?',
  });
});
