import { confirm, isCancel, text } from "@clack/prompts";
import { CommandError } from "../command-error.ts";
import type { Prompts } from "./surroundings.ts";

/** Questions on this terminal. */
export const terminalPrompts: Prompts = {
  async text(message, check, example) {
    return answered<string>(
      text({
        message,
        placeholder: example,
        validate(answer) {
          try {
            check(answer ?? "");
            return undefined;
          } catch (error) {
            return (error as Error).message;
          }
        },
      }),
    );
  },
  confirm: async (message) => answered<boolean>(confirm({ message })),
};

/** Ctrl+C is an answer of the prompt's. Ctrl+D, or a terminal that is gone, is none: then nothing is left to wait for. */
async function answered<T>(prompt: Promise<T | symbol>): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const end = (): void => {
    // The prompt has hidden the cursor, and only its answer would bring it back.
    if (process.stdout.isTTY) process.stdout.write("\u001b[?25h");
    silence.reject(givenUp());
  };
  process.once("beforeExit", end);
  try {
    const answer = await Promise.race([prompt, silence.promise]);
    if (isCancel(answer)) throw givenUp();
    return answer as T;
  } finally {
    process.off("beforeExit", end);
  }
}

const givenUp = () => new CommandError("given up: nothing was written");
