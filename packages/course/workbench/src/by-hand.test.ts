import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPage } from "./testing/open-page.ts";

/** Types a line into a terminal when its shell is ready. */
async function typeByHand(
  opened: ReturnType<typeof openPage>,
  terminal: string,
  line: string,
): Promise<void> {
  const t = opened.terminals.open(terminal);
  await expect.poll(() => t.scrollback().trimEnd()).toMatch(/\(session\)$/);
  t.type(`${line}\r`);
}

test("counts the commands that the learner types, in the page's order, and types none again", async () => {
  const opened = openPage([
    "\n$ echo 1; X=1\n1",
    "\n$ echo $X\n1",
    "\n$ X=2",
    "\n$ echo $X\n2",
    "\n$ cat <<END\na\nEND\na",
  ]);
  const state = (block: number) => opened.run.states().get(`s/${block}#0`);
  await typeByHand(opened, "main", "echo 1;  X=1");
  await expect.poll(() => state(1)).toEqual({ status: "done" });
  // The second one waits for the first.
  await typeByHand(opened, "main", "echo $X");
  await expect.poll(() => state(2)).toEqual({ status: "done" });
  opened.terminals.open("main").type("X=2\recho $X\r");
  await expect.poll(() => state(4)).toEqual({ status: "done" });
  expect(state(3)).toEqual({ status: "done" });
  await typeByHand(opened, "main", "cat <<END\ra\rEND");
  await expect.poll(() => state(5)).toEqual({ status: "done" });
  expect(opened.output().match(/echo 1/g)).toHaveLength(1);
});

test("counts a command that the page has twice where the learner is", async () => {
  const opened = openPage(["\n$ echo $X\n...", "\n$ X=2", "\n$ echo $X\n..."]);
  await opened.act(1);
  await typeByHand(opened, "main", "echo $X");
  await expect.poll(() => opened.run.isDone("s/3#0")).toBe(true);
  expect(opened.run.isDone("s/1#0")).toBe(false);
  await typeByHand(opened, "main", "echo $X");
  await expect.poll(() => opened.run.isDone("s/1#0")).toBe(true);
});

test("takes the learner's own names from what they typed", async () => {
  const pods = (name: string) => `printf 'NAME                  READY\\n${name}   1/1\\n'`;
  const opened = openPage([
    `\n$ ${pods("web-5d88f7c669-kfqzn")}\nNAME                  READY\nweb-6cf9d7b5d8-x7k2p   1/1`,
    "\n$ echo have web-6cf9d7b5d8-x7k2p; : write\nhave web-6cf9d7b5d8-x7k2p",
  ]);
  await typeByHand(opened, "main", pods("web-5d88f7c669-kfqzn"));
  await expect.poll(() => opened.run.isDone("s/1#0")).toBe(true);
  await typeByHand(opened, "main", "echo have web-5d88f7c669-kfqzn; : write");
  await expect.poll(() => opened.run.isDone("s/2#0")).toBe(true);
});

test("says what differs in a command that the learner typed, and repeats it nowhere", async () => {
  const opened = openPage(["\n$ cat later.txt\nit is there", "\n$ echo end\nend"]);
  await typeByHand(opened, "main", "cat later.txt");
  await expect.poll(() => opened.run.states().get("s/1#0")).toMatchObject({ status: "differs" });
  await writeFile(join(opened.project, "later.txt"), "it is there\n");
  await typeByHand(opened, "main", "cat later.txt");
  await expect.poll(() => opened.run.states().get("s/1#0")).toEqual({ status: "done" });
  expect(opened.output().match(/cat later.txt/g)).toHaveLength(2);
});

test("leaves the page alone for the learner's own commands, and for steps that they have not reached", async () => {
  const opened = openPage(["\n$ echo first\nfirst", "\n$ echo later\nlater"], "", "## T\n");
  await typeByHand(opened, "main", "echo mine");
  await typeByHand(opened, "main", "echo later");
  await typeByHand(opened, "main", "echo first");
  await expect.poll(() => opened.run.isDone("s/1#0")).toBe(true);
  expect(opened.changes.map(([key]) => key)).toEqual(["s/1#0", "s/1#0"]);
  await typeByHand(opened, "main", "echo later");
  await expect.poll(() => opened.run.isDone("t/1#0")).toBe(true);
});

test("counts commands of the step that the learner looks at, after one that is not finished", async () => {
  const opened = openPage(["\n$ echo first\nfirst", '\n$ echo "$HOME"/x | wc -l\n1'], "", "## T\n");
  opened.shown.step = "t";
  await typeByHand(opened, "main", "echo $HOME/x | wc -l");
  await expect.poll(() => opened.run.isDone("t/1#0")).toBe(true);
  expect(opened.run.isDone("s/1#0")).toBe(false);
});

test("counts a command after a program that ended too early", async () => {
  const opened = openPage([" running\n$ echo started\nstarted\nnever", "\n$ echo here\nhere"]);
  opened.terminals.open("main");
  await typeByHand(opened, "main", "echo started");
  await typeByHand(opened, "main", "echo here");
  await expect.poll(() => opened.run.isDone("s/2#0")).toBe(true);
  expect(opened.run.states().get("s/1#0")).toMatchObject({ status: "differs" });
});

test("notices what a program prints when the learner has come to it, and that they end it", async () => {
  const program = '(stty -echo; echo started; read x; echo "got $x"; sleep 1000)';
  const opened = openPage([
    ` terminal=operator running\n$ ${program}\nstarted`,
    // Time enough for a mistake.
    "\n$ sleep 1; echo here\nhere",
    " terminal=operator\ngot it\n^C",
  ]);
  const { run, terminals, changes } = opened;
  await typeByHand(opened, "operator", program);
  await expect.poll(() => run.isDone("s/1#0")).toBe(true);
  terminals.find("operator")?.type("it\r");
  await expect.poll(() => terminals.find("operator")?.lines()).toContain("got it");
  await opened.act(1);
  await expect.poll(() => run.isDone("s/3#0")).toBe(true);
  expect(changes.map((change) => change.join(" ")).slice(-2)).toEqual(["s/2#0 done", "s/3#0 done"]);
  terminals.find("operator")?.type("\u0003");
  await expect.poll(() => run.isDone("s/3#1")).toBe(true);
  // A button for what has happened changes nothing.
  expect(await opened.act(2, 0)).toEqual({ status: "done" });
});

test("does not take a program's own end for Ctrl+C", async () => {
  const opened = openPage([
    " running\n$ (echo started; read -s x)\nstarted\n^C",
    " terminal=other\n$ sleep 1; echo here\nhere",
  ]);
  await opened.act(0);
  opened.terminals.find("main")?.type("x\r");
  await expect.poll(() => opened.terminals.find("main")?.running()).toBeUndefined();
  await opened.act(1);
  expect(opened.run.isDone("s/1#1")).toBe(false);
});

test("compares the answers of a program that the learner typed lines to", async () => {
  const program = "while printf '> '; read -r x; do eval \"$x\"; done";
  const opened = openPage([` prompt="> "\n$ ${program}\n> echo a; echo b\na\nb\n> echo c\nnot c\n> ^D`]);
  await typeByHand(opened, "main", program);
  const terminal = opened.terminals.find("main");
  await expect.poll(() => opened.run.isDone("s/1#0")).toBe(true);
  terminal?.type("echo a; echo b\r");
  await expect.poll(() => terminal?.lines().slice(-2)).toEqual(["b", ">"]);
  terminal?.type("echo c\r");
  await expect.poll(() => terminal?.lines().slice(-2)).toEqual(["c", ">"]);
  terminal?.type("\u0004");
  await expect.poll(() => opened.run.isDone("s/1#3")).toBe(true);
  expect([1, 2].map((entry) => opened.run.isDone(`s/1#${entry}`))).toEqual([true, false]);
});
