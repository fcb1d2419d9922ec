import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IPty } from "@lydell/node-pty";
import { spawn } from "@lydell/node-pty";
import { screenLines } from "./normalise.ts";

export interface TerminalOptions {
  /** The terminal's name on the page. "" for the first. */
  readonly name: string;
  readonly cwd: string;
  /** The whole environment of the shell. It inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the shell's own two files, outside of the learner's folder. */
  readonly directory: string;
  /** How long the shell may take to show its first prompt, in milliseconds. Default 30,000. */
  readonly limit?: number;
}

/**
 * A bash in a pty, driven as a person would: one command at a time at its prompt, ^C, or typing into the
 * process in the foreground.
 */
export interface Terminal {
  readonly name: string;
  /** Process id of the shell. The processes that the page starts belong to its session. */
  readonly pid: number;
  /** Starts a command at the shell's prompt. Throws if a command still runs in the foreground. */
  start(command: string): void;
  /** Types text into the foreground process. `\n`, `\x03` and `\x04` are Enter, ^C and ^D. */
  type(text: string): void;
  /** Returns the output of the last started command, as a person sees it. The last line may be incomplete. */
  lines(): string[];
  /** Returns the exit status of the last command. Undefined while it runs. */
  status(): number | undefined;
  /** Returns the command in the foreground. Undefined if none runs. */
  running(): string | undefined;
  /** Returns the shell's working folder at its last prompt. */
  cwd(): string;
  /** Resolves at the next output, at the end of a command, on abort, or after `ms` milliseconds. */
  changed(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Closes the pty, so its processes get SIGHUP. The shell gets SIGKILL after a second. Resolves when the
   * shell has ended.
   */
  close(): Promise<void>;
}

/**
 * Opens a terminal and waits for its first prompt. Throws without bash, and if there is no prompt within
 * `limit`.
 */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  // The marker carries the status and the folder. The nonce keeps other output from looking like it.
  const nonce = randomBytes(8).toString("hex");
  const marker = new RegExp(`${"\u001b"}\\]7777;${nonce};(\\d+);([^\u0007]*)\u0007`);
  const id = `${options.name || "main"}-${nonce}`;
  const commandFile = join(options.directory, `${id}.command`);
  const quotedFile = commandFile.replaceAll("'", "'\\''");
  const rcFile = join(options.directory, `${id}.bashrc`);
  writeFileSync(rcFile, bashrc(nonce), { mode: 0o600 });

  let pty: IPty;
  try {
    pty = spawn("bash", ["--noprofile", "--noediting", "--rcfile", rcFile, "-i"], {
      cwd: options.cwd,
      env: options.env,
      cols: 250,
      rows: 50,
      name: "dumb",
    });
  } catch (error) {
    throw new Error(`cannot open a terminal: ${(error as Error).message}. Is bash installed?`);
  }

  let raw = "";
  let status: number | undefined;
  let command: string | undefined;
  let folder = options.cwd;
  let exited = false;
  const waiting = new Set<() => void>();
  const notify = (): void => {
    for (const wake of [...waiting]) wake();
  };
  let pending = "";
  const data = pty.onData((chunk) => {
    pending += chunk;
    const end = marker.exec(pending);
    if (end) {
      raw += pending.slice(0, end.index);
      pending = "";
      status = Number(end[1]);
      folder = end[2] ?? folder;
      command = undefined;
    } else {
      // A chunk may end within a marker: hold back from the escape character that might begin it.
      const hold = pending.lastIndexOf("\u001b]");
      const cut =
        hold === -1 || pending.indexOf("\u0007", hold) !== -1
          ? pending.length - (pending.endsWith("\u001b") ? 1 : 0)
          : hold;
      raw += pending.slice(0, cut);
      pending = pending.slice(cut);
    }
    notify();
  });
  const shellEnded = new Promise<void>((resolve) => {
    pty.onExit(({ exitCode }) => {
      exited = true;
      status ??= exitCode;
      command = undefined;
      notify();
      resolve();
    });
  });

  const terminal: Terminal = {
    name: options.name,
    pid: pty.pid,
    start(text) {
      if (exited) throw new Error("the terminal's shell has ended");
      if (command !== undefined) throw new Error(`the terminal still runs "${firstLine(command)}"`);
      command = text;
      status = undefined;
      raw = "";
      // The command goes through a file because a pty cuts lines at 4,096 bytes. `eval` runs it as if it had
      // been typed: with the same shell and job control, and with bash's messages as at a prompt.
      writeFileSync(commandFile, text, { mode: 0o600 });
      pty.write(`eval "$(<'${quotedFile}')"\n`);
    },
    type: (text) => pty.write(text),
    lines: () => screenLines(raw),
    status: () => status,
    running: () => command,
    cwd: () => folder,
    changed(ms, signal) {
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
        signal?.addEventListener("abort", done, { once: true });
        if (signal?.aborted) done();
      });
    },
    async close() {
      if (exited) return;
      // Closing the master hangs up on the session, as closing a terminal window does.
      (pty as IPty & { destroy(): void }).destroy();
      const timer = setTimeout(() => pty.kill("SIGKILL"), 1000);
      await shellEnded;
      clearTimeout(timer);
      data.dispose();
    },
  };
  const { limit = 30_000 } = options;
  const deadline = Date.now() + limit;
  while (status === undefined && !exited && Date.now() < deadline)
    await terminal.changed(deadline - Date.now());
  if (status === undefined && !exited) {
    await terminal.close();
    const where = options.name === "" ? "" : ` in terminal ${options.name}`;
    throw new Error(
      `bash shows no prompt${where} after ${limit / 1000} s: run \`bash --noprofile --norc -i\` to see why`,
    );
  }
  if (exited) throw new Error(`bash ended at once: ${screenLines(raw).join("\n")}`);
  raw = "";
  return terminal;
}

function firstLine(command: string): string {
  return command.split("\n")[0] ?? "";
}

/**
 * The shell first closes the inherited masters of older terminals, which would stay open after this process
 * ends. It keeps bash's own descriptor of its terminal, without which commands do not get the foreground: 255,
 * or a lower one if this process uses 255. The prompt is only the marker. Echo is off, so that typed text is
 * not part of the output.
 */
function bashrc(nonce: string): string {
  return `
PS1= PS2=
HISTFILE=
__own=255
for __fd in /dev/fd/*; do [[ \${__fd##*/} -gt 2 && $__fd -ef /dev/fd/0 ]] && __own=\${__fd##*/}; done
for __fd in /dev/fd/*; do __fd=\${__fd##*/}; [[ $__fd -gt 2 && $__fd -ne $__own ]] && eval "exec $__fd>&-"; done; unset __fd __own
stty -echo
__page_prompt() { local status=$?; stty -echo; printf '\\033]7777;${nonce};%s;%s\\007' "$status" "$PWD"; }
PROMPT_COMMAND=__page_prompt
`;
}
