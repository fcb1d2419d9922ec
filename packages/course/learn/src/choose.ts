import { PassThrough } from "node:stream";
import { isCancel, type SelectOptions, select } from "@clack/prompts";
import { unlessAborted } from "./closed-terminal.ts";

export type ChoiceOptions<T> = Pick<SelectOptions<T>, "message" | "options" | "initialValue" | "maxItems"> & {
  readonly signal: AbortSignal;
};

/**
 * Asks for one of the options with ↑, ↓ and Enter. Resolves to undefined after Ctrl+C and Esc. Rejects on abort.
 *
 * A typed or pasted word chooses nothing: the person may think that this is a shell. Its Enter is dropped, and the
 * question says how to choose and how to leave. After `q`, `quit` and `exit`, Enter is Ctrl+C. So is Ctrl+D, at which
 * the prompt would stop reading.
 */
export async function choose<T>({ message, signal, ...options }: ChoiceOptions<T>): Promise<T | undefined> {
  using keys = readKeys(process.stdin);
  const answer = await unlessAborted(
    select<T>({
      ...options,
      // Read again at each key.
      get message() {
        const typed = keys.typed();
        if (typed === "") return message;
        return leaves.test(typed)
          ? `${message}\nEnter leaves this question. Choose with ↑ and ↓.`
          : `${message}\n"${typed}" is not a choice. Choose with ↑ and ↓, or leave with Ctrl+C.`;
      },
      input: keys.input,
      signal,
    }),
    signal,
  );
  return isCancel(answer) ? undefined : answer;
}

interface Keys extends Disposable {
  /** The keys of the terminal without typed words. */
  readonly input: PassThrough;
  /** The beginning of the last typed word. Empty after another key. */
  typed(): string;
}

/** An escape sequence of a key, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const key = /\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Z])?|[\s\S]/gu;

const longestShown = 40;

/** A word that people type to leave. */
const leaves = /^(?:q|quit|exit)$/i;

function readKeys(terminal: NodeJS.ReadStream): Keys {
  const input = Object.assign(new PassThrough(), {
    isTTY: terminal.isTTY,
    setRawMode: (mode: boolean) => terminal.setRawMode?.(mode),
  });
  let word = "";
  let isOpen = false;
  const onData = (data: unknown): void => {
    const keys = String(data).match(key) ?? [];
    const hasText = keys.some(isText);
    for (const one of keys) {
      const isEnter = one === "\r" || one === "\n";
      if (one === "\u0004" || (isEnter && isOpen && leaves.test(word))) {
        input.write("\u0003");
        return;
      }
      if (isText(one)) {
        word = isOpen ? word + one : one;
        isOpen = true;
      } else if (one === "\u007f" && isOpen) {
        word = word.slice(0, -1);
        isOpen = word !== "";
      } else if (isEnter && (isOpen || hasText)) isOpen = false;
      else {
        word = "";
        isOpen = false;
        input.write(one);
        continue;
      }
      // The prompt draws itself again at each key. It takes some letters for arrow keys, but not a blank.
      input.write(" ");
    }
  };
  terminal.on("data", onData).resume();
  return {
    input,
    typed: () => (word.length > longestShown ? `${word.slice(0, longestShown)}…` : word),
    [Symbol.dispose]() {
      terminal.off("data", onData).pause();
      input.destroy();
    },
  };
}

function isText(key: string): boolean {
  return key >= " " && key !== "\u007f";
}
