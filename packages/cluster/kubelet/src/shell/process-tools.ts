import type { ProcessContext } from "../runtime/contracts.ts";
import { SIGNALS, type Signal } from "../runtime/process-table.ts";
import type { Accounts } from "./identity-tools.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** Processes of the PID namespace: ps, kill, uptime, free. */
export function processTools(context: ProcessContext, people: () => Promise<Accounts>): Record<string, Tool> {
  const { processes, credentials, clock } = context.container.config;
  return {
    stty: ([what]) => {
      const { tty, terminal } = context.process;
      if (!tty) return failed("stty: standard input: Not a tty\n");
      const { width, height } = terminal?.size ?? { width: 0, height: 0 };
      if (what === "size") return ok(`${height} ${width}\n`);
      return ok(`speed 38400 baud; rows ${height}; columns ${width};\n`);
    },
    ps: async (args) => {
      const { user } = await people();
      // ps sees itself too: as the process that it is, or as a child of the shell.
      const alone = /(^|\/)ps$/.test(context.process.argv[0] ?? "");
      const own = alone
        ? undefined
        : processes.add({
            ...context.process,
            ppid: context.process.pid,
            argv: ["ps", ...args],
            signal() {},
          });
      const rows = processes.list().map((process) => {
        const name = (user(process.uid) ?? String(process.uid)).slice(0, 8);
        return `${String(process.pid).padStart(5)} ${name.padEnd(8)}  0:00 ${process.argv.join(" ")}\n`;
      });
      if (own) processes.remove(own.pid);
      return ok(`PID   USER     TIME  COMMAND\n${rows.join("")}`);
    },
    kill: (args) => {
      let signal: Signal = "SIGTERM";
      const pids: number[] = [];
      for (const word of args) {
        if (!word.startsWith("-")) pids.push(Number(word));
        else {
          const named = word.replace(/^-s?/, "").toUpperCase();
          const found = (Object.keys(SIGNALS) as Signal[]).find(
            (name) => name === named || name === `SIG${named}` || String(SIGNALS[name]) === named,
          );
          if (!found) return failed(`kill: bad signal name '${word.slice(1)}'\n`);
          signal = found;
        }
      }
      if (pids.length === 0) return failed("kill: you need to specify whom to kill\n");
      for (const pid of pids) {
        const process = processes.get(pid);
        if (!process) return failed(`kill: can't kill pid ${pid}: No such process\n`);
        if (process.uid !== credentials.uid && !credentials.capabilities.has("KILL")) {
          return failed(`kill: can't kill pid ${pid}: Operation not permitted\n`);
        }
        // SIGKILL does not reach the first process of the namespace from inside.
        if (pid === 1 && signal === "SIGKILL") continue;
        process.signal(signal);
      }
      return ok("");
    },
    uptime: () =>
      ok(
        ` ${new Date(clock.now()).toISOString().slice(11, 19)} up 0 min,  0 users,  load average: 0.00, 0.00, 0.00\n`,
      ),
    free: () =>
      ok(
        "              total        used        free      shared  buff/cache   available\nMem:        8388608           0     8388608           0           0     8388608\nSwap:             0           0           0\n",
      ),
  };
}
