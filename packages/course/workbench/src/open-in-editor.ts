import { spawn } from "node:child_process";
import { basename, isAbsolute } from "node:path";
import { executablesOnPath } from "@operator-path/tools";
import type { Outcome } from "./course.ts";

export interface OpenInEditorOptions {
  /** Absolute path of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Absolute path of the project, for editors that show a folder beside the file. */
  readonly folder: string;
  /** Has `VISUAL`, `EDITOR` and `PATH`. */
  readonly env: NodeJS.ProcessEnv;
}

type Arguments = (options: Pick<OpenInEditorOptions, "file" | "line" | "folder">) => string[];

const withGoto: Arguments = ({ file, line, folder }) => [folder, "--goto", `${file}:${line}`];
const withColon: Arguments = ({ file, line, folder }) => [folder, `${file}:${line}`];
const withOption: Arguments = ({ file, line }) => ["--line", String(line), file];
const withPlus: Arguments = ({ file, line }) => [`+${line}`, file];

/** Editors with windows, in the order in which they are looked for, and how each takes a line. */
const editors: ReadonlyMap<string, Arguments> = new Map([
  ...["code", "cursor", "windsurf", "codium", "code-insiders"].map((name) => [name, withGoto] as const),
  ...["zed", "zeditor", "subl"].map((name) => [name, withColon] as const),
  ...["webstorm", "idea", "kate", "mate"].map((name) => [name, withOption] as const),
  ...["gvim", "mvim", "gedit"].map((name) => [name, withPlus] as const),
]);

/** Editors that need a terminal, which a button does not have. */
const needTerminal = new Set(
  "vi vim nvim view nano pico micro hx helix kak joe ne ed mcedit emacs emacsclient".split(" "),
);

/** An editor that fails does so at once. One that shows its window may run for hours. In milliseconds. */
const failsWithinMs = 2000;

/**
 * Opens a file in the learner's own editor: `VISUAL` or `EDITOR` if it has windows, else the first known editor on
 * the PATH. Starts it without a shell. Returns what happened, for the learner.
 */
export async function openInEditor(options: OpenInEditorOptions): Promise<Outcome> {
  const editor = (await chosenEditor(options.env)) ?? (await editorOnPath(options.env));
  if (!editor) return { ok: false, text: whatIsMissing(options.env) };
  const args = editors.get(nameOf(editor.program)) ?? (({ file }) => [file]);
  return run(editor.program, [...editor.args, ...args(options)], options);
}

interface Editor {
  /** Absolute path. */
  readonly program: string;
  /** The learner's own, before the file. */
  readonly args: readonly string[];
}

/** Returns the learner's own choice. Undefined without one, and if it needs a terminal or does not exist. */
async function chosenEditor(env: NodeJS.ProcessEnv): Promise<Editor | undefined> {
  for (const value of [env.VISUAL, env.EDITOR]) {
    const [program, ...args] = wordsOf(value ?? "");
    if (program === undefined || needTerminal.has(nameOf(program))) continue;
    const [found] = isAbsolute(program) ? [program] : await executablesOnPath(program, env);
    if (found !== undefined) return { program: found, args };
  }
  return undefined;
}

async function editorOnPath(env: NodeJS.ProcessEnv): Promise<Editor | undefined> {
  for (const name of editors.keys()) {
    const [program] = await executablesOnPath(name, env);
    if (program !== undefined) return { program, args: [] };
  }
  return undefined;
}

/** Splits `"/opt/My Editor/code" --wait` as a shell would, without its other rules. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    String(double ?? single ?? plain),
  );
}

function nameOf(program: string): string {
  return basename(program).replace(/\.(exe|sh)$/, "");
}

function run(program: string, args: readonly string[], options: OpenInEditorOptions): Promise<Outcome> {
  const { env, folder } = options;
  const name = nameOf(program);
  return new Promise((resolve) => {
    const opened = (): void => {
      child.unref();
      resolve({ ok: true, text: `Opened in ${name}.` });
    };
    const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: "ignore" });
    const timer = setTimeout(opened, failsWithinMs);
    child.once("error", ({ message }) => {
      clearTimeout(timer);
      resolve({ ok: false, text: `${name} did not start: ${message}` });
    });
    child.once("exit", (status, signal) => {
      clearTimeout(timer);
      if (status === 0) opened();
      else resolve({ ok: false, text: `${name} ended with ${signal ?? `exit status ${status}`}.` });
    });
  });
}

function whatIsMissing(env: NodeJS.ProcessEnv): string {
  const own = env.VISUAL || env.EDITOR;
  const why = own ? `"${own}" needs a terminal, or is not on the PATH. ` : "";
  const what = "No editor with a window was found on the PATH (code, cursor, zed, idea, …).";
  return `${why}${what} Install one, or set VISUAL to yours, such as VISUAL=code. Then start pnpm learn ui again.`;
}
