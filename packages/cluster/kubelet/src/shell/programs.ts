import type { ProcessContext } from "../runtime/contracts.ts";
import { interact } from "./interactive.ts";
import { createInterpreter } from "./interpreter.ts";
import { createSession, type SessionOptions, type ShellSession } from "./session.ts";
import { copy, sleep, tailFollow } from "./standalone-tools.ts";
import { isIncomplete, quote } from "./syntax.ts";
import { filtersStdin } from "./tool.ts";
import { inShellWording } from "./wording.ts";

/** sh, ash, bash: runs `-c`, a script file, a script on standard input, or an interactive shell. */
export async function runShell(context: ProcessContext): Promise<number> {
  const args = context.argv.slice(1);
  const flags: string[] = [];
  while (args[0]?.startsWith("-") && args[0] !== "-") flags.push(args.shift() as string);
  const flag = flags.join("");
  const interpreter = await createInterpreter(context);
  const abort = new AbortController();
  context.signal.addEventListener("abort", () => abort.abort(), { once: true });
  const lines = context.stdin && !context.tty ? lineReader(context) : undefined;
  const start = (positional: string[], more: Partial<SessionOptions> = {}): ShellSession => {
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
        if (trapped || interactive || signal === "SIGWINCH" || context.process.pid === 1) return;
        // Without a trap, the kernel's default action ends the process, unless it is the first one.
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
  // Without standard input, the end of input is reached at once.
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

/** Returns a function that reads lines of standard input, for a shell without a terminal. */
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

/** Runs a tool as the command of a container or of exec: `kubectl exec pod -- ls /`. */
export async function runTool(context: ProcessContext): Promise<number> {
  const [command = "", ...args] = context.argv;
  const name = command.slice(command.lastIndexOf("/") + 1);
  if (name === "busybox" && args.length > 0) return runTool({ ...context, argv: args });
  if (["sh", "ash", "bash"].includes(name)) return runShell(context);
  if (name === "sleep") return sleep(context, args);
  if (name === "tail" && args.some((word) => /^-\w*[fF]/.test(word))) return tailFollow(context, args);
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
  await context.stderr(
    inShellWording(context.container.config.image.shell?.flavour ?? "busybox", name, result.stderr),
  );
  await context.stdout(result.stdout);
  return session.state.status;
}
