import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of the soak, with its own memory and event loop. */
export interface Part<Ask, Answer> {
  /** Asks one question after the other. Rejects if the process has ended or answers with an error. */
  ask(question: Ask): Promise<Answer>;
  stop(): Promise<void>;
}

type Reply<Answer> = { answer: Answer } | { error: string };

/** @param program beside this file */
export function startPart<Ask extends object, Answer>(
  program: string,
  { gc = false } = {},
): Part<Ask, Answer> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [], {
    execArgv: ["--conditions=@operator-path/source", ...(gc ? ["--expose-gc"] : [])],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  const exited = once(child, "exit");
  const ended = exited.then(([code, signal]): never => {
    throw new Error(`${program} ended with ${code ?? signal}`);
  });
  // The callers receive the error. Without a caller, nothing waits for it.
  ended.catch(() => {});
  return {
    async ask(question) {
      const reply = once(child, "message") as Promise<[Reply<Answer>]>;
      child.send(question);
      const [said] = await Promise.race([reply, ended]);
      if ("error" in said) throw new Error(`${program}: ${said.error}`);
      return said.answer;
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** Answers questions until the parent process has ended. Runs in the child process. */
export function answerParent<Ask, Answer>(answer: (question: Ask) => Promise<Answer>): void {
  process.on("message", (question: Ask) => {
    answer(question).then(
      (said) => process.send?.({ answer: said } satisfies Reply<Answer>),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) } satisfies Reply<Answer>),
    );
  });
  // SIGKILL needs no cleanup: everything is in memory.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
}
