import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyOf } from "./page-actions.ts";
import { openPage } from "./testing/open-page.ts";

test("types a command into the learner's shell, and compares its output", async () => {
  const { act, output, changes, run } = openPage([" \n$ X=1; echo $X two\n1 two"]);
  expect(await act(0)).toEqual({ status: "done" });
  expect(changes).toEqual([
    ["s/1#0", "running"],
    ["s/1#0", "done"],
  ]);
  expect(run.states().get(keyOf({ id: "s/1", entry: 0 }))).toEqual({ status: "done" });
  expect(output()).toContain("(session) ");
  expect(output()).toContain("echo $X two");
});

test("keeps variables, and types the learner's own names for the page's samples", async () => {
  const { act, output } = openPage([
    "\n$ printf 'NAME                  READY\\nweb-5d88f7c669-kfqzn   1/1\\n'\nNAME                  READY\nweb-6cf9d7b5d8-x7k2p   1/1",
    "\n$ echo have web-6cf9d7b5d8-x7k2p\nhave web-6cf9d7b5d8-x7k2p",
  ]);
  expect(await act(0)).toEqual({ status: "done" });
  expect(await act(1)).toEqual({ status: "done" });
  expect(output()).toContain("have web-5d88f7c669-kfqzn");
});

test("types a command that waits once more, when its output matches, and says what it waits for", async () => {
  const { act, printed, output, messages, project } = openPage([
    "\n$ LATER=later.txt",
    "\n$ cat $LATER\nit is there\nfor good",
  ]);
  await act(0);
  const later = join(project, "later.txt");
  const result = act(1);
  await expect.poll(printed).toContain("No such file");
  await writeFile(later, "it is\n");
  await expect
    .poll(() => messages)
    .toEqual([
      'Not there yet. Waiting for "it is there". The command will be typed again when it shows that.',
    ]);
  await writeFile(later, "it is there\nfor good\n");
  expect(await result).toEqual({ status: "done" });
  expect(printed().match(/No such file/g)).toHaveLength(1);
  expect(printed().match(/it is there/g)).toHaveLength(1);
  expect(output().match(/cat \$LATER/g)).toHaveLength(2);
});

test("types a command that waits in vain once, if its output stays the same", async () => {
  const { act, output } = openPage([" timeout=4s\n$ echo no more\nmore"]);
  expect(await act(0)).toMatchObject({ status: "differs" });
  expect(output().match(/no more\r/g)).toHaveLength(2);
});

test("reports what differs with the page's lines, the seen ones and what the cluster says", async () => {
  const { act } = openPage(["\n$ printf 'a\\nc\\n'; true $(true)\na\nb"]);
  expect(await act(0)).toMatchObject({
    ...{ status: "differs", message: "the output is not what the page shows" },
    diff: [
      { kind: " ", text: "a" },
      { kind: "-", text: "b" },
      { kind: "+", text: "c" },
    ],
    missing: ["map.yaml"],
    explanation: [{ title: "Pods that are not ready", lines: ["default/web"] }],
  });
});

test("does not take the echo of a command for its output", async () => {
  const { act } = openPage(["\n$ : 'the words'\nthe words"]);
  expect(await act(0)).toMatchObject({ status: "differs" });
});

test("runs a command of several lines at once, and sees its exit status", async () => {
  const { act } = openPage(["\n$ cat <<END; (exit 3)\n$ a\n\tb\nEND\n\\$ a\n...\n? 3"]);
  expect(await act(0)).toEqual({ status: "done" });
});

test("leaves a command running in its terminal, reads on there, and interrupts it", async () => {
  const { act, terminals } = openPage([
    ' terminal=operator running\n$ (stty -echo; echo started; read x; echo "got $x"; sleep 1000)\nstarted',
    " terminal=operator\ngot it",
    " terminal=operator\n^C",
    "\n$ echo here\nhere",
  ]);
  expect(await act(0)).toEqual({ status: "done" });
  expect(terminals.find("operator")?.running()).toContain("started");
  expect(await act(3)).toEqual({ status: "done" });
  terminals.find("operator")?.type("it\r");
  expect(await act(1)).toEqual({ status: "done" });
  expect(await act(2)).toEqual({ status: "done" });
  expect(terminals.find("operator")?.running()).toBeUndefined();
  // The learner's own Ctrl+C came first.
  expect(await act(2)).toEqual({ status: "done" });
});

test("does not count a variable as set whose command has printed nothing", async () => {
  const { act } = openPage(["\n$ POD=$(echo $NAME)", "\n$ NAME=a", "\n$ OTHER=$(echo b) true"]);
  expect(await act(2)).toEqual({ status: "done" });
  expect(await act(0)).toMatchObject({
    status: "differs",
    message:
      "The command has printed nothing, so POD is empty. Run it again when there is something to print.",
  });
  await act(1);
  expect(await act(0)).toEqual({ status: "done" });
});

test("does not count a key as done in a terminal where nothing has run", async () => {
  const { act, terminals } = openPage([
    " terminal=operator running\n$ (cat)\n...",
    " terminal=operator\n^C",
    " terminal=operator\n^D",
  ]);
  expect(await act(1)).toMatchObject({
    status: "differs",
    message: "^C has no effect: no command runs in terminal operator",
  });
  expect(await act(2)).toMatchObject({ status: "differs" });
  const terminal = terminals.open("operator");
  terminal.type("cat\r");
  await expect.poll(() => terminal.running()).toBeDefined();
  terminal.type("mine\r");
  await expect.poll(() => terminal.lines()).toContain("mine");
  terminal.type("\u0003");
  await expect.poll(() => terminal.running()).toBeUndefined();
  expect(await act(1)).toEqual({ status: "done" });
});

test("counts a key as done whose program has run before, in another session", async () => {
  const { act } = openPage([" terminal=operator running\n$ (cat)\n...", " terminal=operator\n^C"], "", "", [
    "s/1#0",
  ]);
  expect(await act(1)).toEqual({ status: "done" });
});

test("does not take the echo of Ctrl+C for output", async () => {
  const { act } = openPage([
    " running\n$ bash -c 'trap \"echo stopped; exit\" INT; echo started; sleep 1000 & wait'\nstarted",
    "\n^C\nstopped",
  ]);
  expect(await act(0)).toEqual({ status: "done" });
  expect(await act(1)).toEqual({ status: "done" });
});

test("refuses a command while one of the page runs in its terminal", async () => {
  const command = "stty -echo; echo waits; read x; stty echo; echo $x";
  const { act, terminals } = openPage([`\n$ ${command}\nwaits\nyes`]);
  const first = act(0);
  await expect(act(0)).rejects.toThrow(
    `\`${command}\` still runs in terminal main: wait for its ✓, or press Ctrl+C there`,
  );
  await expect.poll(() => terminals.find("main")?.lines()).toContain("waits");
  terminals.find("main")?.type("yes\r");
  expect(await first).toEqual({ status: "done" });
});

test("looks for output in the learner's own program, if that is the last of its terminal", async () => {
  const operator = " terminal=operator";
  const { act, terminals } = openPage([
    `${operator} running\n$ (echo a; echo b; sleep 600)\na\nb`,
    `${operator}\n^C`,
    `${operator} running\n$ (echo again; sleep 600)\nagain\nand more`,
    `${operator}\n...\nand more`,
  ]);
  await act(0);
  await act(1);
  const terminal = terminals.open("operator");
  await expect.poll(() => terminal.running()).toBeUndefined();
  terminal.type("echo mine; echo and more\r");
  await expect.poll(() => terminal.lines()).toContain("and more");
  expect(await act(3)).toEqual({ status: "done" });
});

test("says how to leave a shell that the page has opened", async () => {
  const { act } = openPage([' prompt="> "\n$ PS1="> " bash --norc\n> ^D', "\n$ echo page\npage"]);
  expect(await act(0)).toEqual({ status: "done" });
  await expect(act(1)).rejects.toThrow(
    '`PS1="> " bash --norc` still runs in terminal main: press Ctrl+D at its prompt to leave it',
  );
});

test("does not type over a command that the learner has started", async () => {
  const { act, terminals, changes } = openPage(["\n$ echo page\npage"]);
  const terminal = terminals.open("main");
  await expect.poll(() => terminal.scrollback()).toContain("(session) ");
  terminal.type("read mine\r");
  await expect.poll(() => terminal.running()).toBe("read mine");
  await expect(act(0)).rejects.toThrow(
    "`read mine` still runs in terminal main: wait until it has ended, or press Ctrl+C there",
  );
  expect(changes).toEqual([]);
  terminal.type("yes\r");
  await expect.poll(() => terminal.running()).toBeUndefined();
  expect(await act(0)).toEqual({ status: "done" });
});

test.each([
  ["a half-typed line", "echo half", "(session) echo half"],
  ["a line that goes on", "if true\r", "> "],
  ["a search in the history", "\u0012mine", "reverse-i-search"],
  ["readline's question before long completions", "\t\t", "possibilities? (y or n)"],
])("clears %s before it types", async (_what, keys, shown) => {
  const { act, terminals } = openPage(["\n$ echo page; : not read-only\npage"]);
  const terminal = terminals.open("main");
  await expect.poll(() => terminal.scrollback()).toContain("(session) ");
  terminal.type(keys);
  await expect.poll(() => terminal.scrollback()).toContain(shown);
  expect(await act(0)).toEqual({ status: "done" });
});

test("rejects a command that is not on the page", async () => {
  const { run, terminals } = openPage(["\n$ echo a\na"]);
  await expect(run.run({ id: "s/1", hash: "0".repeat(32), entry: 0 })).rejects.toThrow("reload it");
  expect(terminals.names()).toEqual([]);
});

test("understands a shell whose startup file has an array in PROMPT_COMMAND", async () => {
  const { act } = openPage(["\n$ (exit 4)\n? 4"], "PROMPT_COMMAND=('false' 'true')\n");
  expect(await act(0)).toEqual({ status: "done" });
});

const [first, second, third] = ["web-5d88f7c669-kfqzn", "web-5d88f7c669-bbbbb", "web-5d88f7c669-ccccc"];

test("takes another name for a deleted object when a command runs again, and says so", async () => {
  const { act, gone } = openPage([
    `\n$ echo \${NAME=${first}}; : write\nweb-6cf9d7b5d8-x7k2p`,
    "\n$ echo $NAME; echo is $NAME; : write\nweb-6cf9d7b5d8-x7k2p\nis web-6cf9d7b5d8-x7k2p",
    "\n$ echo have web-6cf9d7b5d8-x7k2p; : write\nhave web-6cf9d7b5d8-x7k2p",
    `\n$ NAME=${second}`,
  ]);
  expect(await act(0)).toEqual({ status: "done" });
  await act(3);
  // The object exists: another name is a mistake.
  expect(await act(1)).toMatchObject({ status: "differs" });
  expect(await act(1)).toMatchObject({ advice: { text: expect.stringContaining("still exists") } });
  gone.add(first);
  expect(await act(2)).toEqual({ status: "done" });
  expect(await act(1)).toEqual({ status: "done" });
  expect(await act(2)).toEqual({ status: "done" });
});

test("says which command shows the new name of a deleted object", async () => {
  const { act, gone } = openPage([
    `\n$ echo ${first}; : write\n${third}`,
    `\n$ : write; echo ${third}; (exit 1)\nnever`,
    `\n$ echo ${second}; : write\nis ${third}`,
  ]);
  await act(0);
  gone.add(first);
  expect(await act(1)).toMatchObject({
    advice: {
      text: `${first} no longer exists. Run \`echo ${first}; : write\` again, which shows the new name. Then run this again.`,
    },
  });
  expect(await act(2)).toMatchObject({
    status: "differs",
    advice: { text: `${first} no longer exists. Run this again, because the name may have changed.` },
  });
});

test("says to set a variable again when what it names is not found", async () => {
  const { act } = openPage([
    "\n$ POD=a",
    '\n$ : write; echo "pods \\"$POD\\" not found"; (exit 1)\npod deleted',
  ]);
  await act(0);
  expect(await act(1)).toMatchObject({
    advice: { text: "Set POD again: run `POD=a` above. Then run this again." },
  });
});

test("keeps a command done that has passed, and says what it prints this time", async () => {
  const { act, run } = openPage([`\n$ echo \${SEEN-created}; SEEN=unchanged; : not read-only\ncreated`]);
  expect(await act(0)).toEqual({ status: "done" });
  const again = { status: "done", message: "the output is not what the page shows" };
  expect(await act(0)).toMatchObject(again);
  expect(run.states().get("s/1#0")).toMatchObject(again);
});

test("counts a difference as done when the learner says so", async () => {
  const { act, accept, run } = openPage(["\n$ echo b; : not read-only\na"]);
  expect(await act(0)).toMatchObject({ status: "differs" });
  expect(accept(0)).toEqual({ status: "done" });
  expect(run.states().get("s/1#0")).toEqual({ status: "done" });
});

test("stops waiting for output when the learner presses a key of the page", async () => {
  const { act, terminals, run } = openPage([
    " terminal=operator running\n$ (echo started; sleep 1000)\nstarted",
    " terminal=operator\nnever",
    " terminal=operator\n^C",
  ]);
  expect(await act(0)).toEqual({ status: "done" });
  const waits = act(1);
  expect(run.states().get("s/2#0")).toEqual({ status: "running" });
  expect(await act(2)).toEqual({ status: "done" });
  expect(await waits).toEqual({ status: "to do" });
  expect(terminals.find("operator")?.running()).toBeUndefined();
});

test("tells what a command prints from the shell's prompt, which a new size shows again", async () => {
  const { act, output, printed, terminals } = openPage([" \n$ echo 'o'ne\none"]);
  const terminal = terminals.open("main");
  while (!output().includes("(session) ")) await terminal.changed(1000);
  expect(printed()).toBe("");
  await act(0);
  expect(printed()).toContain("one");
});
