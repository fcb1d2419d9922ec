import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchOutput } from "../expect/match.ts";
import { NotRevisableError, reviseOutput } from "../expect/revise.ts";
import { noSamples } from "../expect/samples.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";

const page = (console: string): string =>
  `---\ntitle: T\n---\n\n## One\n\n  Some prose.\n\n~~~console\n${console}~~~\n\nMore prose.\n`;

/**
 * Runs a page with `accept`. Returns the new content between the fences, its report, and that of a second
 * run.
 */
async function accept(console: string, run = {}) {
  using tutorial = temporaryTutorial({ "1-page.md": page(console) });
  const report = await tutorial.run("1-page.md", {
    accept: true,
    limits: { repeat: 300, output: 1000 },
    ...run,
  });
  const source = tutorial.page("1-page.md").source;
  const [before, now, after] = [
    page("").split("~~~")[0],
    source.split("```console\n")[1]?.split("```")[0],
    source.split("```")[2],
  ];
  // The rest of the page stays.
  expect(source.startsWith(before ?? "?")).toBe(true);
  expect(after).toBe("\n\nMore prose.\n");
  const again = await tutorial.run("1-page.md", { limits: { repeat: 300, output: 1000 } });
  expect(tutorial.left()).toEqual([]);
  return { now, report, again };
}

const print = (text: string): string => `$ printf '%s\\n' ${text}\n`;

test.each([
  [
    "a changed line",
    `${print("one two three")}one\n2\nthree\n`,
    `${print("one two three")}one\ntwo\nthree\n`,
  ],
  ["an added and a removed line", `${print("one two")}zero\none\n`, `${print("one two")}one\ntwo\n`],
  ["lines beside an ellipsis", `${print("a b c d e")}a\nB\n...\nE\n`, `${print("a b c d e")}a\nb\n...\ne\n`],
  [
    "no output any more",
    "$ true \\\n  then\necho\n".replace("true \\\n  then", ": \\\n  then"),
    "$ : \\\n  then\n(no output)\n",
  ],
  ["output instead of (no output)", `${print("one")}(no output)\n`, `${print("one")}one\n`],
  [
    "a line like a wildcard",
    `${print("'[..]' ... 'a\\.b'")}x\n`,
    `${print("'[..]' ... 'a\\.b'")}\\[..]\n\\...\na\\\\.b\n`,
  ],
  ["a line like a command", `${print("'$ x'")}x\n`, `${print("'$ x'")}\\$ x\n`],
  [
    "the output of a command with an exit status",
    "$ sh -c 'echo b; exit 3'\na\n? 3\n",
    "$ sh -c 'echo b; exit 3'\nb\n? 3\n",
  ],
])("accepts %s, and the page passes then", async (_, before, wanted) => {
  const { now, report, again } = await accept(before);
  expect(now).toBe(wanted);
  expect(report).toMatchObject({
    passed: true,
    accepted: expect.any(Array),
  });
  expect(again).toMatchObject({ passed: true });
  expect(again.accepted).toBeUndefined();
});

test("changes only the cells of a row that differ, and keeps samples for later commands", async () => {
  const table = (status: string, age: string, name: string) =>
    `NAME                      READY   STATUS    AGE\n${name}   1/1     ${status}   ${age}\n`;
  const seen = table("Failed ", "7s", "payment-868b74bb95-lc7fx").trimEnd().replace("\n", "\\n");
  const command = `$ printf '${seen}\\n'\n`;
  const later =
    "$ echo payment-7c9d8b5f6-x2x4q | tee name\npayment-7c9d8b5f6-x2x4q\n$ cat name | wc -c\n26\n";
  const { now, again } = await accept(command + table("Running", "12s", "payment-7c9d8b5f6-x2x4q") + later);
  expect(now).toBe(command + table("Failed ", "12s", "payment-7c9d8b5f6-x2x4q") + later.replace("26", "25"));
  expect(again.passed).toBe(true);
});

test("accepts as many lines of a running process as the page shows", async () => {
  const start = "$ sh -c 'echo up; echo ready now; echo more; exec sleep 300'\n";
  const running = (line: string) =>
    page(`${start}up\n${line}\n~~~\n\n~~~console\nmore\n^C\n`).replace("console", "console running");
  using tutorial = temporaryTutorial({ "1-page.md": running("ready then") });
  const options = { limits: { output: 1000 } };
  const report = await tutorial.run("1-page.md", { accept: true, ...options });
  expect(report).toMatchObject({
    passed: true,
    accepted: [{ removed: ["ready then"], added: ["ready now"] }],
  });
  expect(tutorial.page("1-page.md").source).toBe(running("ready now").replaceAll("~~~", "```"));

  using silent = temporaryTutorial({
    "1-page.md": running("ready now").replace("echo up; echo ready now; echo more;", ""),
  });
  const { difference } = await silent.run("1-page.md", { accept: true, ...options });
  expect(difference?.message).toContain("not accepted: nothing was printed");
});

test("changes only the shown fields of a log record, and keeps its time as a sample", async () => {
  const seen = '2026-11-21T08:00:00Z INFO scaled {"size": 4, "name": "web", "ms": 12}';
  const command = `$ echo '${seen}'\n`;
  const shown = (size: number) =>
    `2026-11-21T07:00:00Z INFO ${size === 3 ? "scales" : "scaled"} {"name": "web", "size": ${size}}\n`;
  const { now, again } = await accept(command + shown(3));
  expect(now).toBe(command + shown(4));
  expect(again.passed).toBe(true);
});

test("keeps the page's order of rows, and what `...` leaves out", async () => {
  const table = (...rows: string[]) => `NAME    SIZE\n${rows.map((row) => `${row}\n`).join("")}`;
  const command = `$ printf 'NAME  SIZE\\nnew  9\\nc  3\\nb  7\\na  1\\n'\n`;
  const { now } = await accept(command + table("a       1", "b       2", "..."));
  expect(now).toBe(command + table("a       1", "b       7", "..."));
});

test.each([
  ["a line with a wildcard", `${print("one")}tw[..]\n`, "a line with a wildcard stays as it is: tw[..]"],
  ["another exit status", "$ false\n", "exit status 1, the page says 0"],
  ["a folder of the run", "$ pwd\n/somewhere\n", "a line names a folder of this run"],
  ["output that a page cannot show", `${print("'^C'")}x\n`, "a page cannot show this"],
])("rejects %s, and accepts the lines before it", async (_, line, message) => {
  const { now, report } = await accept(`${print("one")}two\n${line}`);
  expect(report.passed).toBe(false);
  expect(report.difference?.message).toContain(message);
  expect(now).toBe(`${print("one")}one\n${line}`);
  expect(report.accepted).toEqual([{ line: 11, removed: ["two"], added: ["one"] }]);
});

test("does not overwrite a page that changes during the run", async () => {
  using tutorial = temporaryTutorial({ "1-page.md": page(`${print("one")}two\n`) });
  const path = join(tutorial.folder, "1-page.md");
  const report = await tutorial.run("1-page.md", {
    accept: true,
    beforeStep: async () => {
      writeFileSync(path, "mine");
      return true;
    },
  });
  expect(report).toMatchObject({
    passed: false,
    difference: { message: expect.stringContaining("was changed while it ran: nothing is accepted") },
  });
  expect(report.accepted).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("keeps the line endings of a page", async () => {
  using tutorial = temporaryTutorial({
    "1-page.md": page(`${print("one three")}two\nthree\n`).replaceAll("\n", "\r\n"),
  });
  await tutorial.run("1-page.md", { accept: true });
  const path = join(tutorial.folder, "1-page.md");
  expect(readFileSync(path, "utf8")).toBe(
    page(`${print("one three")}one\nthree\n`)
      .replaceAll("~~~", "```")
      .replaceAll("\n", "\r\n"),
  );
});

test("revised output matches the printed output, and keeps the lines that matched before", () => {
  const line = fc.constantFrom("a", "b", "c d", "web  1", "[..]", "...", "$ x", "\\.", "12s");
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "c d", "web  2", "..."), { maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      (expected, seen) => {
        try {
          const revised = reviseOutput(expected, seen, { samples: noSamples });
          const texts = revised.map((one) => ("keep" in one ? (expected[one.keep] ?? "") : one.text));
          expect(
            matchOutput(
              texts.map((text) => (text.startsWith("\\$ ") ? text.slice(1) : text)),
              seen,
              { samples: noSamples },
            ),
          ).toBeDefined();
          if (matchOutput(expected, seen, { samples: noSamples })) expect(texts).toEqual(expected);
        } catch (error) {
          if (!(error instanceof NotRevisableError)) throw error;
        }
      },
    ),
  );
});

test("accepts output that only changes its age after a while, before the limit", async () => {
  using tutorial = temporaryTutorial({
    "1-page.md": `---\ntitle: T\n---\n\n## One\n\n~~~console retry\n$ echo "one $SECONDS"s\ntwo\n~~~\n
~~~console terminal=second running\n$ echo three; echo four; sleep 1000\n3\nfour\n~~~\n
~~~console terminal=second\n^C\n~~~\n`,
  });
  // Longer than this test may take.
  const limits = { repeat: 600_000, output: 600_000, settled: 300 };
  const report = await tutorial.run("1-page.md", { accept: true, limits });
  expect(report.difference).toBeUndefined();
  expect(report.accepted?.map(({ added }) => added.join().replace(/\d+s/, "Ns"))).toEqual([
    "one Ns",
    "three",
  ]);
});

test("waits for output of a block with its own timeout", async () => {
  const count =
    "n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; [ $n -ge 4 ] && echo ready || echo waiting";
  using tutorial = temporaryTutorial({
    "1-page.md": `---\ntitle: T\n---\n\n## One\n\n~~~console retry timeout=50s\n$ ${count}\nready\n~~~\n`,
  });
  const report = await tutorial.run("1-page.md", { accept: true, limits: { settled: 1 } });
  expect(report).toMatchObject({ passed: true });
  expect(report.accepted).toBeUndefined();
});
