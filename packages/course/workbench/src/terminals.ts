import type { ShellCommand } from "./command-state.ts";
import { type LearnerShell, type LearnerTerminal, openLearnerTerminal } from "./learner-terminal.ts";

export interface TerminalsOptions {
  readonly shell: LearnerShell;
  /** Folder for the shells' startup files. */
  readonly directory: string;
  /** @param isPrinted whether a command printed some of it */
  onData(name: string, data: string, isPrinted: boolean): void;
  /** Called when the learner has typed a command. */
  onTyped(name: string, command: ShellCommand): void;
  /** Called when a terminal is new, and when its shell has ended. */
  onChange(name: string): void;
}

/** The open terminals, by their name on the page. */
export interface Terminals {
  /** Returns a terminal. Opens it if it is not open. */
  open(name: string): LearnerTerminal;
  /** Returns an open terminal. */
  find(name: string): LearnerTerminal | undefined;
  names(): string[];
  close(): Promise<void>;
}

/** More terminals than a page names are a mistake of the browser page. */
const mostTerminals = 12;

export function createTerminals({
  shell,
  directory,
  onData,
  onTyped,
  onChange,
}: TerminalsOptions): Terminals {
  const open = new Map<string, LearnerTerminal>();
  return {
    open(name) {
      const known = open.get(name);
      if (known) return known;
      if (open.size >= mostTerminals) throw new Error(`there are ${mostTerminals} terminals already`);
      const terminal = openLearnerTerminal({
        ...{ name, shell, directory },
        onData: (data, isPrinted) => onData(name, data, isPrinted),
        onTyped: (command) => onTyped(name, command),
        onExit() {
          if (open.get(name) === terminal) open.delete(name);
          onChange(name);
        },
      });
      open.set(name, terminal);
      onChange(name);
      return terminal;
    },
    find: (name) => open.get(name),
    names: () => [...open.keys()],
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map((terminal) => terminal.close()));
    },
  };
}
