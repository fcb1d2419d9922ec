import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Runs commands in one folder with one environment. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv) {
  const children = new Set<ChildProcess>();

  function launch(command: string) {
    const child = spawn("sh", ["-c", `exec ${command}`], { cwd, env, detached: true });
    children.add(child);
    let output = "";
    const listeners = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => {
        output += data.toString();
        for (const listener of listeners) listener();
      });
    }
    const ended = once(child, "close").then(([code]) => {
      children.delete(child);
      for (const listener of listeners) listener();
      return code as number | null;
    });
    return { child, ended, listeners, output: () => output };
  }

  async function attempt(command: string): Promise<{ code: number | null; output: string }> {
    const { ended, output } = launch(command);
    const code = await ended;
    return { code, output: output() };
  }

  return {
    /** Runs a command and returns its output. @throws Error with the output if the command fails */
    async run(command: string): Promise<string> {
      const start = performance.now();
      const { code, output } = await attempt(command);
      if (code !== 0) throw new Error(`${command}: exit code ${code}\n${output}`);
      console.log(
        `${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${command.replace(/^".*main\.ts"/, "operator-sdk")}`,
      );
      return output;
    },
    /**
     * Repeats a command until it succeeds and its output fits. @throws Error with the last output after five
     * minutes
     */
    async until(command: string, fits: (output: string) => boolean): Promise<string> {
      const deadline = Date.now() + 300_000;
      for (;;) {
        const { code, output } = await attempt(command);
        if (code === 0 && fits(output)) return output;
        if (Date.now() > deadline) throw new Error(`${command}: no success within five minutes:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    /** Starts a command in the background. */
    start(command: string) {
      const { child, ended, listeners, output } = launch(command);
      return {
        prints: (text: string) =>
          new Promise<void>((resolve, reject) => {
            const look = (): void => {
              if (output().includes(text)) resolve();
              else if (!children.has(child)) reject(new Error(`${command} has exited:\n${output()}`));
              else return;
              listeners.delete(look);
            };
            listeners.add(look);
            look();
          }),
        stop(): Promise<number | null> {
          child.kill("SIGTERM");
          return ended;
        },
      };
    },
    async end(): Promise<void> {
      for (const child of children) if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    },
  };
}
