import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { screenLines } from "./normalise.ts";
import { isReadOnly } from "./read-only.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

let directory: string;
let terminal: Terminal;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "terminal-test-"));
  terminal = await openTerminal({
    name: "",
    cwd: directory,
    env: { PATH: process.env.PATH ?? "", TERM: "dumb" },
    directory,
  });
});
afterAll(async () => {
  await terminal.close();
  rmSync(directory, { recursive: true });
});

async function run(command: string) {
  terminal.start(command);
  while (terminal.status() === undefined) await terminal.changed(1000);
  return { status: terminal.status(), text: terminal.lines().join("\n").trimEnd() };
}

test("keeps the folder and variables of a shell, and reports each exit status", async () => {
  expect(await run("cd / && X=3")).toEqual({ status: 0, text: "" });
  expect(await run('echo "$X $PWD"; (exit 7)')).toEqual({ status: 7, text: "3 /" });
  expect(terminal.cwd()).toBe("/");
});

test("shows bash's messages as at a prompt, and survives a command that does not parse", async () => {
  expect(await run("no-such-command")).toEqual({
    status: 127,
    text: "bash: no-such-command: command not found",
  });
  expect(await run("echo 'open")).toMatchObject({ status: 2 });
  expect(await run("echo fine")).toEqual({ status: 0, text: "fine" });
});

test("passes heredocs, long lines and output like escape sequences through", async () => {
  expect(await run("cat <<END\none\n\ttwo $X\nEND")).toEqual({ status: 0, text: "one\n\ttwo 3" });
  const long = "x".repeat(20_000);
  expect((await run(`echo ${long}`)).text).toBe(long);
  expect(await run("printf '\\033]0;title\\007a\\033[31mb\\033[0m\\n'")).toEqual({ status: 0, text: "ab" });
});

test("types into the program in the foreground, and interrupts it", async () => {
  terminal.start("cat; echo done");
  terminal.type("hello\n");
  await expect.poll(() => terminal.lines()[0]).toBe("hello");
  expect(() => terminal.start("ls")).toThrow('the terminal still runs "cat; echo done"');
  terminal.type("\x03");
  await expect.poll(() => terminal.status()).toBe(130);
});

test.each([
  ["50%\r100%\n", ["100%", ""]],
  ["abc\rX\n", ["Xbc", ""]],
  ["waiting...\r\u001b[Kdone\n", ["done", ""]],
  ["ab\b\bcd  \r\n", ["cd", ""]],
  ["\u001b[1mbold\u001b[0m $ ", ["bold $"]],
])("a person sees %j as %j", (raw, lines) => {
  expect(screenLines(raw)).toEqual(lines);
});

test.each([
  ["kubectl get pods -o wide", true],
  ["kubectl -n default get pods | grep -v kube | wc -l", true],
  ["kubectl logs deployment/x 2>&1 | tail -n 3", true],
  ["kubectl get pods -w", false],
  ["kubectl logs -f x", false],
  ["kubectl get --raw '/api/v1/pods?watch=1'", false],
  ["kubectl get pods | xargs kubectl delete", false],
  ["kubectl delete pod $(kubectl get pods -o name)", false],
  ["kubectl get pods > file", false],
  ["kubectl get pods && kubectl delete pod x", false],
  ["kubectl auth can-i list pods", true],
  ["kubectl config current-context", true],
  ["kubectl --context=kind-kind config view --minify", true],
  ["kubectl config use-context view", false],
  ["curl -s localhost:8080/metrics | grep reconcile", true],
  ["curl -X POST localhost", false],
  ["helm list", true],
  ["helm upgrade x y", false],
  ["sed -i s/a/b/ x", false],
  ["kubectl apply -f x", false],
])("%s only reads: %j", (command, reads) => {
  expect(isReadOnly(command)).toBe(reads);
});

test("gives each command the foreground when this process has many open files", async () => {
  // bash keeps its terminal at the highest free descriptor up to 255. Here, an older terminal has that one.
  const opened: number[] = [];
  while ((opened.at(-1) ?? 0) < 254) opened.push(openSync("/dev/null", "r"));
  onTestFinished(() => {
    for (const file of opened) closeSync(file);
  });
  const options = { cwd: directory, env: { PATH: process.env.PATH ?? "", TERM: "dumb" }, directory };
  const older = await openTerminal({ ...options, name: "older" });
  onTestFinished(() => older.close());
  const newer = await openTerminal({ ...options, name: "newer" });
  onTestFinished(() => newer.close());
  newer.start("stty echo; jobs");
  while (newer.status() === undefined) await newer.changed(1000);
  expect(newer.lines().join("\n").trim()).toBe("");
});

test("rejects a bash that never shows its prompt", async () => {
  const folder = mkdtempSync(join(tmpdir(), "silent-bash-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "bash"), "#!/bin/sh\nexec /bin/sleep 300\n", { mode: 0o755 });
  const silent = { name: "operator", cwd: folder, env: { PATH: folder }, directory: folder, limit: 200 };
  await expect(openTerminal(silent)).rejects.toThrow(
    "bash shows no prompt in terminal operator after 0.2 s: run `bash --noprofile --norc -i` to see why",
  );
});
