import { expect, test } from "vitest";
import { parseConsole } from "./console.ts";
import { consoleOptions, parseInfoString } from "./info-string.ts";

const parse = (content: string, info = "console") =>
  parseConsole(content, consoleOptions(parseInfoString(info)), 1);

test("continues commands after a backslash, in a heredoc and in an open quote", () => {
  const entries = parse(
    "$ kubectl get \\\n    pods\na\n$ cat <<-'END' | sort\n$ not a command\n\tEND\nb\n$ echo '{\n}'\n",
  );
  expect(entries.map(({ text, expected }) => [text, expected.lines.map((line) => line.text)])).toEqual([
    ["kubectl get \\\n    pods", ["a"]],
    ["cat <<-'END' | sort\n$ not a command\n\tEND", ["b"]],
    ["echo '{\n}'", []],
  ]);
});

test.each([
  "echo $((1 << n))",
  "((mask = 1 << bits)); echo $mask",
  "grep TOKEN <<< input",
  "echo '<<END'",
  'cat "$(printf x) << END"',
])("does not wait for a heredoc in `%s`", (command) => {
  expect(parse(`$ ${command}\nseen\n`)).toMatchObject([
    { text: command, expected: { lines: [{ text: "seen" }] } },
  ]);
});

test.each([
  "cat <<'END' <<\\TAB\nit's\nEND\n$ x\nTAB",
  'cat <<E"N"D\n$ x\nEND',
  'echo "$(cat <<END\n$ x\nEND\n)"',
  "cat <<END >x; echo 'a\nb'\n$ x\nEND",
  "echo $(\n  date)",
])("reads the lines that bash would ask for after %j", (command) => {
  expect(parse(`$ ${command}\nseen\n`)).toMatchObject([
    { text: command, expected: { lines: [{ text: "seen" }] } },
  ]);
});

test("reads an exit status, `(no output)` and an escaped dollar", () => {
  const [first, second] = parse("$ init\n\\$ operator-sdk create api\n? 1\n$ true\n(no output)\n");
  expect(first?.expected).toEqual({
    lines: [{ text: "$ operator-sdk create api", line: 2 }],
    noOutput: false,
    exitStatus: 1,
  });
  expect(second?.expected).toEqual({ lines: [], noOutput: true });
});

test("types lines that begin with the prompt", () => {
  const entries = parse("$ kubectl exec -it x -- sh\n/ # ps\nPID\n/ # ^D\n", 'console prompt="/ # "');
  expect(entries.map(({ kind, text }) => [kind, text])).toEqual([
    ["command", "kubectl exec -it x -- sh"],
    ["typed", "ps"],
    ["end-of-input", ""],
  ]);
});

test("accepts output before ^C in a named terminal", () => {
  const entries = parse("later\n^C\nbye\n", "console terminal=operator");
  expect(entries.map(({ kind, expected }) => [kind, expected.lines.map((line) => line.text)])).toEqual([
    ["output", ["later"]],
    ["interrupt", ["bye"]],
  ]);
});

test("leaves escaped wildcards as they are", () => {
  const [entry] = parse("$ cat x\n\\...\n\\[...]\n\\[..x..]\n");
  expect(entry?.expected.lines.map((line) => line.text)).toEqual(["\\...", "\\[...]", "\\[..x..]"]);
});
