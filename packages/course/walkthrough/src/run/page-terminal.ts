import { existsSync } from "node:fs";
import { pathBelow } from "../files/tree.ts";
import { decoyNamespace } from "../oracles/decoy.ts";
import type { ConsoleBlock } from "../page/page.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import type { RunEnvironment } from "./environment.ts";
import { PageFailure } from "./failure.ts";
import { quote } from "./programs.ts";

/** A terminal of the page, and how far its output has been matched. */
export interface PageTerminal {
  readonly terminal: Terminal;
  /** Lines of the foreground command's output that the page has already accounted for. */
  matched: number;
  /** The foreground command, as the page says it. */
  command: string;
}

/** The open terminals of a run, by their name on the page. */
export type PageTerminals = Map<string, PageTerminal>;

/** The parts of a `Run` that a new terminal depends on. */
export interface TerminalHost {
  readonly environment: RunEnvironment;
  readonly terminals: PageTerminals;
  readonly cluster: { readonly namespace?: string | undefined } | undefined;
  /** Set: the cluster has decoys, which the page must not see. */
  readonly decoy: object | undefined;
}

/**
 * Returns the terminal of a block, in the folder that the block names. Opens it when the page uses it for the
 * first time. Throws PageFailure when the folder cannot be entered within `limit` milliseconds.
 */
export async function terminalFor(
  block: ConsoleBlock,
  host: TerminalHost,
  options: { readonly cleaningUp: boolean; readonly limit: number; readonly signal: AbortSignal },
): Promise<PageTerminal> {
  const name = block.options.terminal;
  let found = host.terminals.get(name);
  // After a failure a command may still run in the terminal: Clean up gets a new one.
  if (options.cleaningUp && found?.terminal.running() !== undefined && block.entries[0]?.kind === "command") {
    await found.terminal.close();
    found = undefined;
  }
  found ??= await open(name, host);
  host.terminals.set(name, found);
  const { cwd } = block.options;
  if (cwd !== undefined && found.terminal.running() === undefined) {
    const folder = pathBelow(host.environment.learner, cwd);
    if (!existsSync(folder)) throw new PageFailure(block.line, `cwd=${cwd}: there is no such folder`);
    await changeFolder(found, folder, { ...options, line: block.line });
  }
  return found;
}

async function open(name: string, { environment, cluster, decoy }: TerminalHost): Promise<PageTerminal> {
  const terminal = await openTerminal({
    name,
    cwd: existsSync(environment.learner) ? environment.learner : environment.work,
    env: environment.env,
    directory: environment.terminals,
  });
  const seen = decoy ? withoutDecoys(terminal) : terminal;
  const namespace = cluster?.namespace;
  return {
    terminal: namespace === undefined ? seen : inNamespace(seen, namespace),
    matched: 0,
    command: "",
  };
}

async function changeFolder(
  t: PageTerminal,
  folder: string,
  { line, limit, signal }: { readonly line: number; readonly limit: number; readonly signal: AbortSignal },
): Promise<void> {
  const command = `cd ${quote(folder)}`;
  t.terminal.start(command);
  await until(t, Date.now() + limit, signal, () => t.terminal.status() !== undefined);
  const status = t.terminal.status();
  if (status === 0) return;
  if (status === undefined) await stopForeground(t);
  const what = `\`${command}\` in ${nameOf(t)}`;
  const look = "look for a function or alias called cd";
  throw new PageFailure(
    line,
    status === undefined
      ? `${what} did not end within ${limit / 1000} s: ${look}, or a folder that does not answer, or give the block more time (timeout=…)`
      : `${what} ended with exit status ${status}: ${look}, and whether you may enter the folder`,
  );
}

/** Leaves out the printed lines that name the decoys' namespace. */
function withoutDecoys(terminal: Terminal): Terminal {
  return {
    ...terminal,
    lines: () => terminal.lines().filter((line) => !line.includes(decoyNamespace)),
  };
}

/** Where a command names the namespace `default`. */
const defaultNamespace =
  /((?:^|\s)(?:-n|--namespace)(?:=|\s+)|\bnamespace:\s*|"namespace":\s*"|\bnamespaces\/|:serviceaccount:|\.)default(?=\.svc\b|["'/:\s;,&|)}]|$)/gm;

/**
 * Maps `default` for a page that runs in another namespace. Replaces `default` by that namespace in commands,
 * and the namespace by `default` in their output.
 *
 * @param namespace a name that occurs only in this run
 */
function inNamespace(terminal: Terminal, namespace: string): Terminal {
  const toOwn = (text: string): string =>
    text.replaceAll(defaultNamespace, (all, before: string, at: number) =>
      // `.default` is the namespace only in the name of a Service.
      before === "." && !text.slice(at + all.length).startsWith(".svc") ? all : `${before}${namespace}`,
    );
  return {
    ...terminal,
    start: (command) => terminal.start(toOwn(command)),
    type: (text) => terminal.type(toOwn(text)),
    lines: () => terminal.lines().map((line) => line.replaceAll(namespace, "default")),
  };
}

/** Returns the index of the last line, if it is the foreground process's prompt and comes after `after`. */
export function promptAt(block: ConsoleBlock, t: PageTerminal, after: number): number | undefined {
  const prompt = block.options.prompt?.trimEnd();
  if (prompt === undefined || t.terminal.status() !== undefined) return undefined;
  const lines = t.terminal.lines();
  const last = lines.length - 1;
  return last > after && lines[last]?.endsWith(prompt) ? last : undefined;
}

export function withoutPrompt(block: ConsoleBlock, t: PageTerminal): string[] {
  const lines = t.terminal.lines();
  return promptAt(block, t, -1) === undefined ? lines : lines.slice(0, -1);
}

/** Waits until a condition of the terminal holds, or the deadline is over. Rejects when the signal aborts. */
export async function until(
  t: PageTerminal,
  deadline: number,
  signal: AbortSignal,
  condition: () => boolean,
): Promise<void> {
  while (!condition()) {
    const left = deadline - Date.now();
    if (left <= 0) return;
    await t.terminal.changed(Math.min(left, 1000), signal);
    signal.throwIfAborted();
  }
}

/** Interrupts the foreground process, and gives it two seconds to end. */
export async function stopForeground(t: PageTerminal): Promise<void> {
  t.terminal.type("\x03");
  const deadline = Date.now() + 2000;
  while (t.terminal.status() === undefined && Date.now() < deadline) await t.terminal.changed(200);
}

/** Returns the terminal's name for a report. */
export function nameOf(t: PageTerminal): string {
  return t.terminal.name === "" ? "the terminal" : `terminal ${t.terminal.name}`;
}

/** Returns a line for each terminal in which a command runs. */
export function stillRunning(terminals: PageTerminals): string[] {
  return [...terminals.values()].flatMap(({ terminal, command }) =>
    terminal.running() === undefined ? [] : [`terminal ${terminal.name || "main"} still runs \`${command}\``],
  );
}

export async function closeTerminals(terminals: PageTerminals): Promise<void> {
  await Promise.all([...terminals.values()].map(({ terminal }) => terminal.close()));
  terminals.clear();
}
