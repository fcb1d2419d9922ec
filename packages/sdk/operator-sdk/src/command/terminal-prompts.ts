import { confirm, isCancel, text } from "@clack/prompts";
import { CommandError } from "../command-error.ts";
import type { Prompts } from "./surroundings.ts";

/** Asks on this terminal. */
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

/**
 * Returns the answer of a prompt. Ctrl+C resolves the prompt, but Ctrl+D or a closed terminal does not. The
 * process would then end without an error, because nothing is left to wait for.
 *
 * @throws CommandError if the user cancels
 */
async function answered<T>(prompt: Promise<T | symbol>): Promise<T> {
  const inputEnd = Promise.withResolvers<never>();
  const end = (): void => {
    // The prompt has hidden the cursor, and shows it again only after an answer.
    if (process.stdout.isTTY) process.stdout.write("\u001b[?25h");
    inputEnd.reject(cancelled());
  };
  process.once("beforeExit", end);
  try {
    const answer = await Promise.race([prompt, inputEnd.promise]);
    if (isCancel(answer)) throw cancelled();
    return answer as T;
  } finally {
    process.off("beforeExit", end);
  }
}

const cancelled = () => new CommandError("cancelled; nothing was written");
