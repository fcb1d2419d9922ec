import type { ProcessContext } from "../runtime/contracts.ts";
import type { SessionOptions, ShellSession } from "./session.ts";
import { isIncomplete } from "./syntax.ts";
import { createTerminal } from "./terminal.ts";

/** Runs a shell at a terminal. */
export async function interact(
  context: ProcessContext,
  start: (positional: string[], more?: Partial<SessionOptions>) => ShellSession,
  traps: (session: ShellSession, interactive: boolean) => void,
): Promise<number> {
  const { stdin } = context;
  if (!stdin) return 0;
  const terminal = createTerminal(stdin, (text) => context.stdout(text));
  const session = start([], {
    readLine: async () => (await terminal.readLine("")) ?? undefined,
    nested: () => {
      // At the inner shell's prompt, ^C must not interrupt the outer shell's line.
      const rewatch = terminal.watchInterrupt(undefined);
      const inner = start([], { readLine: async () => (await terminal.readLine("")) ?? undefined });
      return interactWith(inner).finally(rewatch);
    },
  });
  traps(session, true);
  return interactWith(session);

  async function interactWith(shell: ShellSession): Promise<number> {
    const history: string[] = [];
    let text = "";
    for (;;) {
      const line = await terminal.readLine(text ? "> " : prompt(shell), history);
      if (line === undefined) {
        // ash prints nothing at ^D.
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
      const unwatch = terminal.watchInterrupt(kill);
      const hasExited = await shell.run(text, abort.signal);
      unwatch();
      context.signal.removeEventListener("abort", kill);
      text = "";
      if (context.signal.aborted) return 137;
      if (abort.signal.aborted) {
        context.stdout("\n");
        shell.state.status = 130;
      } else if (hasExited) return shell.state.status;
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
