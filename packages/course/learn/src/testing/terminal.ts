import { type IPty, spawn } from "@lydell/node-pty";
import { until } from "./until.ts";

/** A program in a terminal. */
export interface Terminal {
  readonly pid: number;
  /** Waits until the screen has shown the text. Throws with the screen if the program ends first, or hangs. */
  shows(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** Closes the terminal, as closing its window does. */
  close(): void;
  /** Waits for the end, and resolves to the exit status. */
  ended(): Promise<number>;
  /** Returns the whole output, with control sequences. */
  screen(): string;
  [Symbol.dispose](): void;
}

/** Runs a program of this repository in a terminal with only this environment. */
export function openTerminal(program: string, args: string[], env: NodeJS.ProcessEnv): Terminal {
  return openProgram(process.execPath, ["--conditions=@operator-path/source", program, ...args], env);
}

/** Runs any program in a terminal with only this environment. */
export function openProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Terminal {
  const pty = spawn(program, [...args], { cols: 120, env });
  let screen = "";
  let exitCode: number | undefined;
  pty.onData((data) => {
    screen += data;
  });
  pty.onExit((how) => {
    exitCode = how.exitCode;
  });
  return {
    pid: pty.pid,
    shows(text) {
      const began = Date.now();
      return until(() => {
        const has = typeof text === "string" ? screen.includes(text) : text.test(screen);
        if (!has && exitCode !== undefined)
          throw new Error(`ended with ${exitCode} without ${text}:\n${screen}`);
        // Before the test's own timeout, which would not say what the screen shows.
        if (!has && Date.now() - began > (process.env.SLOW ? 600_000 : 200_000))
          throw new Error(
            `hangs without ${text}; the screen ends with ${JSON.stringify(screen.slice(-500))}`,
          );
        return has;
      });
    },
    type: (keys) => pty.write(keys),
    // The declared interface lacks `destroy`, which Windows does not have.
    close: () => (pty as IPty & { destroy(): void }).destroy(),
    async ended() {
      await until(() => exitCode !== undefined);
      return exitCode ?? -1;
    },
    screen: () => screen,
    [Symbol.dispose]() {
      if (exitCode === undefined) pty.kill("SIGKILL");
    },
  };
}
