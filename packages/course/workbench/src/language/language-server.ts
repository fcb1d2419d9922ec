import { existsSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findTypeScript } from "./find-typescript.ts";
import { type LanguageProcess, startLanguageProcess } from "./language-process.ts";

export interface LanguageServerOptions {
  /** Absolute path of the learner's folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the absolute path of a file in the folder. Throws for one that the browser may not have. */
  pathOf(path: string): string;
  /** Called when diagnostics may have changed, other than by a change of an open file. */
  onRefresh(): void;
  /** Called when there is no server, and none is started. The message is for the learner. */
  onFailure(message: string): void;
}

/**
 * TypeScript's language server on the learner's folder. Starts with the first question, and again after a crash or
 * an installation of packages.
 */
export interface LanguageServer extends AsyncDisposable {
  /** Of the process. Undefined while none runs. */
  readonly pid: number | undefined;
  /**
   * Asks about a file that has this text. Returns undefined if no server runs, or it ended meanwhile. Rejects if
   * it refuses.
   */
  ask(file: OpenFile, method: string, params?: object): Promise<unknown>;
  /** Lets the server read a file from disk again. */
  closeFile(path: string): void;
  /** Tells the server that a file or folder has changed on disk. */
  changed(path: string): void;
  /** Allows another start after a failure. */
  retry(): void;
}

export interface OpenFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A running process, and the files that it has, with the text of the last question. */
interface Running {
  readonly process: LanguageProcess;
  readonly files: Map<string, { readonly version: number; readonly text: string }>;
}

/** After so many crashes within `crashesWithinMs`, the server is not started again without `retry`. */
const mostCrashes = 3;
const crashesWithinMs = 60_000;

/** Package managers write these at the end of an installation. `files.ts` does not watch their folder. */
const installed = ["node_modules/.modules.yaml", "node_modules/.package-lock.json"];

/** Kinds of a change of a file, in the protocol. */
const [created, modified, deleted] = [1, 2, 3];

export function openLanguageServer(options: LanguageServerOptions): LanguageServer {
  const { folder, env, pathOf, onRefresh, onFailure } = options;
  let starting: Promise<Running | undefined> | undefined;
  let running: Running | undefined;
  let crashes: number[] = [];
  let hasFailed = false;
  let isClosing = false;

  async function start(): Promise<Running | undefined> {
    if (hasFailed || isClosing) return undefined;
    starting ??= startProcess();
    return starting;
  }

  async function startProcess(): Promise<Running | undefined> {
    const tsc = findTypeScript(folder);
    if (tsc === undefined) {
      fail("TypeScript 7 is not installed: run pnpm install, and reload this page.");
      return undefined;
    }
    try {
      const process = await startLanguageProcess({ tsc, folder, env, onRefresh });
      running = { process, files: new Map() };
      void process.ended.then(onEnd);
      return running;
    } catch {
      onEnd();
      return undefined;
    }
  }

  function onEnd(): void {
    running = undefined;
    starting = undefined;
    if (isClosing) return;
    const now = Date.now();
    crashes = [...crashes.filter((time) => now - time < crashesWithinMs), now];
    if (crashes.length < mostCrashes) onRefresh();
    else fail(`TypeScript's language server ended ${mostCrashes} times. Reload this page to start it again.`);
  }

  function fail(message: string): void {
    hasFailed = true;
    onFailure(message);
  }

  function retry(): void {
    if (!hasFailed) return;
    hasFailed = false;
    starting = undefined;
    crashes = [];
  }

  /** A new process finds new packages. It may be of another version, too. */
  function restart(): void {
    crashes = [];
    if (hasFailed) {
      retry();
      onRefresh();
    } else void running?.process.close();
  }

  for (const file of installed) watchFile(join(folder, file), { interval: 1000, persistent: false }, restart);

  /** Gives the server this text of a file, if it has another. Returns the file's name for the server. */
  function show({ process, files }: Running, { path, text }: OpenFile): { readonly uri: string } {
    const uri = pathToFileURL(pathOf(path)).href;
    const known = files.get(path);
    const version = (known?.version ?? 0) + 1;
    if (known === undefined)
      process.notify("textDocument/didOpen", {
        textDocument: { uri, languageId: "typescript", version, text },
      });
    else if (known.text !== text)
      process.notify("textDocument/didChange", {
        ...{ textDocument: { uri, version }, contentChanges: [{ text }] },
      });
    files.set(path, { version, text });
    return { uri };
  }

  return {
    get pid() {
      return running?.process.pid;
    },
    async ask(file, method, params = {}) {
      const server = await start();
      if (!server) return undefined;
      const textDocument = show(server, file);
      try {
        return await server.process.request(method, { ...params, textDocument });
      } catch (error) {
        if (!server.process.isOpen()) return undefined;
        throw error;
      }
    },
    closeFile(path) {
      if (!running?.files.delete(path)) return;
      const uri = pathToFileURL(join(folder, path)).href;
      running.process.notify("textDocument/didClose", { textDocument: { uri } });
    },
    changed(path) {
      const file = join(folder, path);
      // Whether the file is new is not known here. The server accepts both in this order.
      const types = existsSync(file) ? [modified, created] : [deleted];
      const changes = types.map((type) => ({ uri: pathToFileURL(file).href, type }));
      running?.process.notify("workspace/didChangeWatchedFiles", { changes });
    },
    retry,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      for (const file of installed) unwatchFile(join(folder, file), restart);
      await (await starting)?.process.close();
    },
  };
}
