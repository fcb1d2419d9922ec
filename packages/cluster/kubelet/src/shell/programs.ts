import { parse } from "just-bash";
import type { ProcessContext } from "../runtime/program.ts";
import { filtersStdin } from "./filters.ts";
import { createInterpreter, quote } from "./interpreter.ts";
import { createSession, type ShellSession } from "./session.ts";
import { createTerminal } from "./terminal.ts";
import { inWordsOf } from "./wording.ts";

/** sh, ash, bash: `-c`, a script file, a script on standard input, or a person at a terminal. */
export async function runShell(context: ProcessContext): Promise<number> {
  const args = context.argv.slice(1);
  const flags: string[] = [];
  while (args[0]?.startsWith("-") && args[0] !== "-") flags.push(args.shift() as string);
  const flag = flags.join("");
  const interpreter = await createInterpreter(context);
  const abort = new AbortController();
  context.signal.addEventListener("abort", () => abort.abort(), { once: true });
  const lines = context.stdin && !context.tty ? lineReader(context) : undefined;
  const start = (
    positional: string[],
    more: Partial<Parameters<typeof createSession>[0]> = {},
  ): ShellSession => {
    const session = createSession({
      context,
      interpreter,
      positional,
      ...(lines ? { readLine: lines } : {}),
      ...more,
    });
    session.state.errexit = /e/.test(flag.replace("-c", ""));
    return session;
  };
  const traps = (session: ShellSession, interactive: boolean) =>
    context.onSignal((signal) => {
      void session.trap(signal).then((trapped) => {
        if (trapped || interactive || context.process.pid === 1) return;
        // No trap and not the first process: the default action, which the kernel would have taken.
        context.process.signal("SIGKILL");
      });
    });

  if (flag.includes("c")) {
    const [script = "", , ...positional] = args;
    const { stdin } = context;
    const readAll = async () => {
      const chunks: Uint8Array[] = [];
      if (stdin) for await (const chunk of stdin) chunks.push(chunk);
      return Buffer.concat(chunks);
    };
    const session = start(positional, context.tty ? {} : { readAll });
    traps(session, false);
    await session.run(script, abort.signal);
    return session.state.status;
  }
  if (args[0] !== undefined) {
    const path = interpreter.files.resolvePath(context.cwd, args[0]);
    const text = await interpreter.files.readFile(path).catch(() => undefined);
    if (text === undefined) {
      context.stderr(`${context.argv[0]}: can't open '${args[0]}': No such file or directory\n`);
      return 2;
    }
    const session = start(args.slice(1));
    traps(session, false);
    await session.run(text, abort.signal);
    return session.state.status;
  }
  // Nothing to read, and nobody who could ever type something: the end of input is there at once.
  if (!context.stdin) return 0;
  if (context.tty) return interact(context, start, traps);

  const session = start([]);
  traps(session, false);
  let text = "";
  for (let line = await lines?.(); line !== undefined; line = await lines?.()) {
    text += `${line}\n`;
    if (isIncomplete(text)) continue;
    if (await session.run(text, abort.signal)) return session.state.status;
    text = "";
  }
  if (text) await session.run(text, abort.signal);
  return session.state.status;
}

/** A person at a terminal. */
async function interact(
  context: ProcessContext,
  start: (positional: string[], more?: Partial<Parameters<typeof createSession>[0]>) => ShellSession,
  traps: (session: ShellSession, interactive: boolean) => void,
): Promise<number> {
  const { stdin } = context;
  if (!stdin) return 0;
  const terminal = createTerminal(stdin, (text) => context.stdout(text));
  const session = start([], {
    readLine: async () => (await terminal.readLine("")) ?? undefined,
    nested: () =>
      interactWith(start([], { readLine: async () => (await terminal.readLine("")) ?? undefined })),
  });
  traps(session, true);
  return interactWith(session);

  async function interactWith(shell: ShellSession): Promise<number> {
    const history: string[] = [];
    let text = "";
    for (;;) {
      const line = await terminal.readLine(text ? "> " : prompt(shell), history);
      if (line === undefined) {
        // ash says nothing at ^D; the terminal stays where it is.
        return shell.state.status;
      }
      if (line === null) {
        text = "";
        shell.state.status = 130;
        continue;
      }
      if (line.trim() && history.at(-1) !== line) history.push(line);
      text += `${line}\n`;
      if (isIncomplete(text)) continue;
      const abort = new AbortController();
      const kill = () => abort.abort();
      context.signal.addEventListener("abort", kill, { once: true });
      // `read`, `cat` and a shell in this one want the keys for themselves.
      const wantsKeys = /^\s*(read|cat|sh|ash|bash|\/bin\/\w*sh)\b/.test(text);
      const unwatch = wantsKeys ? () => {} : terminal.watchInterrupt(kill);
      const left = await shell.run(text, abort.signal);
      unwatch();
      context.signal.removeEventListener("abort", kill);
      text = "";
      if (context.signal.aborted) return 137;
      if (abort.signal.aborted) {
        context.stdout("\n");
        shell.state.status = 130;
      } else if (left) return shell.state.status;
    }
  }

  function prompt({ state }: ShellSession): string {
    const { uid } = context.container.config.credentials;
    const home = state.variables.HOME;
    const shown =
      home && home !== "/" && (state.cwd === home || state.cwd.startsWith(`${home}/`))
        ? `~${state.cwd.slice(home.length)}`
        : state.cwd;
    if (context.container.config.image.shell?.flavour === "busybox")
      return `${shown} ${uid === 0 ? "#" : "$"} `;
    if (/bash$/.test(context.argv[0] ?? ""))
      return `${uid === 0 ? "root" : "I have no name!"}@${context.hostname}:${shown}${uid === 0 ? "#" : "$"} `;
    return uid === 0 ? "# " : "$ ";
  }
}

/** Whether the shell would ask for more: an open quote, a loop without its end, a backslash. */
function isIncomplete(text: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\\n$/.test(text) || /(?:&&|\|\||\|)\s*\n$/.test(text)) return true;
  try {
    return JSON.stringify(parse(text)).includes('"terminated":false');
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/got EOF|unexpected EOF|unexpected end/i.test(message)) return true;
    const [, line, column] = /Parse error at (\d+):(\d+)/.exec(message) ?? [];
    const all = text.replace(/\n$/, "").split("\n");
    return (
      Number(line) > all.length || (Number(line) === all.length && Number(column) > (all.at(-1)?.length ?? 0))
    );
  }
}

/** Lines of standard input, for a shell without a terminal. */
function lineReader(context: ProcessContext) {
  let rest = "";
  const decoder = new TextDecoder();
  return async (signal?: AbortSignal): Promise<string | undefined> => {
    for (;;) {
      const newline = rest.indexOf("\n");
      if (newline >= 0) {
        const line = rest.slice(0, newline);
        rest = rest.slice(newline + 1);
        return line;
      }
      const chunk = await context.stdin?.read(signal);
      if (!chunk) {
        const last = rest;
        rest = "";
        return last === "" ? undefined : last;
      }
      rest += decoder.decode(chunk, { stream: true });
    }
  };
}

/** A tool called by itself: `kubectl exec pod -- ls /`. */
export async function runTool(context: ProcessContext): Promise<number> {
  const [command = "", ...args] = context.argv;
  const name = command.slice(command.lastIndexOf("/") + 1);
  if (name === "busybox" && args.length > 0) return runTool({ ...context, argv: args });
  if (["sh", "ash", "bash"].includes(name)) return runShell(context);
  if (name === "sleep") return sleep(context, args);
  if (name === "tail" && args.some((word) => /^-\w*[fF]/.test(word))) return follow(context, args);
  if (name === "cat" && args.length === 0 && context.stdin) return copy(context);

  const interpreter = await createInterpreter(context);
  interpreter.output.terminal = context.tty;
  const chunks: Uint8Array[] = [];
  if (filtersStdin(name, args) && context.stdin) for await (const chunk of context.stdin) chunks.push(chunk);
  const session = createSession({ context, interpreter });
  const text = [quote(name), ...args.map(quote)].join(" ");
  const result = await interpreter.run(text, session.state, {
    stdin: Buffer.concat(chunks),
    signal: context.signal,
  });
  context.stderr(inWordsOf(context.container.config.image.shell?.flavour ?? "busybox", name, result.stderr));
  context.stdout(result.stdout);
  return session.state.status;
}

async function sleep(context: ProcessContext, args: string[]): Promise<number> {
  const unit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
  let total = 0;
  for (const word of args) {
    const [, amount, suffix = "s"] = /^(\d*\.?\d+|infinity|inf)([smhd]?)$/.exec(word) ?? [];
    if (amount === undefined) {
      context.stderr(`sleep: invalid number '${word}'\n`);
      return 1;
    }
    total += amount.startsWith("inf")
      ? Number.POSITIVE_INFINITY
      : Number(amount) * (unit[suffix || "s"] ?? 1);
  }
  if (args.length === 0) {
    context.stderr("sleep: missing operand\n");
    return 1;
  }
  const until = context.clock.now() + total * 1000;
  // In pieces: a timer holds 24 days at most.
  while (!context.signal.aborted && context.clock.now() < until) {
    await context.clock
      .sleep(Math.min(until - context.clock.now(), 2 ** 30), context.signal)
      .catch(() => undefined);
  }
  return 0;
}

/** cat without arguments: what comes in goes out, until the input ends. */
async function copy(context: ProcessContext): Promise<number> {
  if (!context.stdin) return 0;
  if (!context.tty) {
    for await (const chunk of context.stdin) context.stdout(chunk);
    return 0;
  }
  const terminal = createTerminal(context.stdin, (text) => context.stdout(text));
  for (let line = await terminal.readLine(""); typeof line === "string"; line = await terminal.readLine(""))
    context.stdout(`${line}\n`);
  return 0;
}

/** tail -f: what is in the file, and then whatever is added. */
async function follow(context: ProcessContext, args: string[]): Promise<number> {
  const path = args.find((word) => !/^-|^\d+$/.test(word)) ?? "";
  const files = await context.container.filesystem();
  let seen = 0;
  while (!context.signal.aborted) {
    const text = await files.readFile(files.resolvePath(context.cwd, path)).catch(() => undefined);
    if (text === undefined && seen === 0) {
      context.stderr(`tail: can't open '${path}': No such file or directory\ntail: no files\n`);
      return 1;
    }
    if (text !== undefined && text.length > seen) {
      // What was there before is shown as far as tail shows it: the last ten lines.
      const from = seen === 0 ? text.split("\n").slice(-11).join("\n") : text.slice(seen);
      context.stdout(from);
    }
    seen = text?.length ?? seen;
    await context.clock.sleep(1000, context.signal).catch(() => undefined);
  }
  return 0;
}
