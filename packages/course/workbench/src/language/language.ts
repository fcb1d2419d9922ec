import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { FileError, type Files } from "../files.ts";
import { openLanguageServer } from "./language-server.ts";
import { createLibraryFiles, type LibraryFiles } from "./library-files.ts";
import {
  type BrowserMessage,
  browserUri,
  codeActions,
  completionList,
  diagnosticReport,
  type LanguageMessage,
  locations,
  resolvedItem,
  serverDiagnostics,
  type TextEdit,
  workspaceEdit,
} from "./messages.ts";

export interface LanguageOptions {
  /** Absolute path of the learner's folder. */
  readonly folder: string;
  readonly files: Pick<Files, "pathOf">;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * TypeScript's language server, for any number of browsers.
 *
 * Promises: a browser can open and ask about files of the learner's folder only, and receives no path of another
 * file. Each browser has its own text of a file until it saves. A package's file can be read if TypeScript has
 * named it as the place of a definition.
 *
 * Does not promise that the server reads nothing else. It follows the imports of an open file, as in any editor.
 */
export interface Language extends AsyncDisposable {
  /** Adds a browser, with a function that sends it messages. */
  connect(send: (message: LanguageMessage) => void): LanguageSession;
  /** Tells the server that a file or folder of the learner's has changed on disk. */
  changed(path: string): void;
  /** Files of packages, where definitions are. */
  readonly library: Pick<LibraryFiles, "read">;
  /** Of the server. Undefined while none runs. */
  readonly pid: number | undefined;
}

/** A browser's connection to the language server. */
export interface LanguageSession {
  receive(message: BrowserMessage): void;
  close(): void;
}

/** A file as one browser has it. */
interface Document {
  readonly path: string;
  readonly text: string;
  /** The browser's number. Diagnostics carry it, so that the browser can drop old ones. */
  readonly version: number;
}

interface Session {
  readonly documents: Map<string, Document>;
  /** Changes when the browser initializes again. Answers to earlier requests are dropped then. */
  epoch: number;
  /** The newest completions with an import, with the server's data. */
  completions: readonly { readonly id: number; readonly item: object }[];
  /** Of the next completion with an import. */
  nextCompletion: number;
  send(message: LanguageMessage): void;
}

/** The editor shows one file at a time. */
const mostDocuments = 50;

/** Sent before the server runs, which starts with the first file. */
const capabilities = {
  // The whole text at each change: two browsers may have different texts.
  textDocumentSync: { openClose: true, change: 1 },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [".", '"', "'", "`", "/", "@", "<", "#"] },
  definitionProvider: true,
  renameProvider: true,
  codeActionProvider: true,
  signatureHelpProvider: { triggerCharacters: ["(", ",", "<"], retriggerCharacters: [")"] },
};

/** Error codes of the protocol. */
const [invalidParams, requestFailed] = [-32602, -32803];

export function openLanguage({ folder, files, env }: LanguageOptions): Language {
  const sessions = new Set<Session>();
  const library = createLibraryFiles();
  const server = openLanguageServer({
    ...{ folder, env, pathOf: (path) => files.pathOf(path), onRefresh: publishAll },
    onFailure(message) {
      for (const session of sessions) {
        session.send({ jsonrpc: "2.0", method: "window/showMessage", params: { type: 2, message } });
        // What the server said before may be wrong by now.
        for (const document of session.documents.values()) sendDiagnostics(session, document, []);
      }
    },
  });

  function sendDiagnostics({ send }: Session, { path, version }: Document, diagnostics: unknown[]): void {
    const params = { uri: browserUri(path), version, diagnostics };
    send({ jsonrpc: "2.0", method: "textDocument/publishDiagnostics", params });
  }

  async function publish(session: Session, document: Document): Promise<void> {
    const report = await server.ask(document, "textDocument/diagnostic");
    // A newer text has its own diagnostics.
    if (report === undefined || session.documents.get(document.path) !== document) return;
    sendDiagnostics(session, document, diagnosticReport.parse(report).items);
  }

  function publishAll(): void {
    // A server that refuses has no diagnostics.
    for (const session of sessions)
      for (const document of session.documents.values()) publish(session, document).catch(() => {});
  }

  function open(session: Session, document: Document): void {
    // A file that the browser may not have stays closed, and requests about it are refused.
    if (problemOf(document.path) !== undefined || session.documents.size >= mostDocuments) return;
    session.documents.set(document.path, document);
    publish(session, document).catch(() => {});
  }

  function close(session: Session, path: string): void {
    session.documents.delete(path);
    if (![...sessions].some(({ documents }) => documents.has(path))) server.closeFile(path);
  }

  function closeAll(session: Session): void {
    for (const path of [...session.documents.keys()]) close(session, path);
  }

  function problemOf(path: string): string | undefined {
    try {
      files.pathOf(path);
      return undefined;
    } catch (error) {
      if (error instanceof FileError) return error.message;
      throw error;
    }
  }

  async function resultOf(session: Session, message: Question): Promise<Answer> {
    const { documents } = session;
    const { method, params } = message;
    if (method === "initialize") return { result: { capabilities } };
    const { uri: path } = params.textDocument;
    const document = documents.get(path);
    if (!document) {
      const problem = problemOf(path);
      // Without one, the editor asked while it closed.
      return problem === undefined ? { result: null } : { error: { code: invalidParams, message: problem } };
    }
    try {
      return { result: await shownResult(session, document, message) };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { error: { code: requestFailed, message: text } };
    }
  }

  /** Asks the server, and returns its answer without a path of this machine. */
  async function shownResult(session: Session, document: Document, question: Question): Promise<unknown> {
    const { method, params } = question;
    if (method === "initialize") return null;
    if (method === "completionItem/resolve") {
      const known = session.completions.find(({ id }) => id === params.data);
      return known ? resolvedItem.parse((await server.ask(document, method, known.item)) ?? {}) : null;
    }
    const { position } = params;
    if (method === "textDocument/codeAction") return quickFixes(document, position);
    const newName = method === "textDocument/rename" ? { newName: params.newName } : {};
    const result = (await server.ask(document, method, { position, ...newName })) ?? null;
    switch (method) {
      case "textDocument/completion":
        return numbered(session, completionList.parse(result));
      case "textDocument/definition":
        return locations.parse(result).flatMap(({ uri, range }) => {
          const shown = shownUri(uri);
          return shown === undefined ? [] : [{ uri: shown, range }];
        });
      case "textDocument/rename":
        return { changes: result === null ? {} : ownChanges(workspaceEdit.parse(result).changes) };
      default:
        return result;
    }
  }

  /** Gives each completion with an import a number, and keeps its data here. */
  function numbered(session: Session, list: ReturnType<typeof completionList.parse>) {
    if (list === null) return null;
    const completions: { readonly id: number; readonly item: object }[] = [];
    const items = list.items.map((item) => {
      const { data, labelDetails, ...rest } = item;
      if (!data?.autoImport) return rest;
      const id = session.nextCompletion++;
      completions.push({ id, item });
      return { ...rest, detail: labelDetails?.description, data: id };
    });
    session.completions = completions;
    return { ...list, items };
  }

  /** Returns fixes for the problems at a place of the document. They change no other document. */
  async function quickFixes(document: Document, position: Position): Promise<QuickFix[]> {
    const report = serverDiagnostics.parse((await server.ask(document, "textDocument/diagnostic")) ?? {});
    const diagnostics = report.items.filter(({ range }) => isWithin(position, range));
    const fixes = new Map<string, QuickFix>();
    for (const diagnostic of diagnostics) {
      const found = await server.ask(document, "textDocument/codeAction", {
        ...{ range: diagnostic.range, context: { diagnostics: [diagnostic], only: ["quickfix"] } },
      });
      for (const { title, edit } of codeActions.parse(found ?? null)) {
        const files = Object.entries(edit?.changes ?? {});
        const [uri, edits] = files[0] ?? [];
        if (uri !== undefined && edits && files.length === 1 && ownPath(uri) === document.path)
          fixes.set(title, { title, edits });
      }
      const spelling = spellingFix(diagnostic, document.text);
      if (spelling) fixes.set(spelling.title, spelling);
    }
    return [...fixes.values()];
  }

  /** Throws if a change is not of the learner's own files. */
  function ownChanges(changes: Readonly<Record<string, TextEdit[]>>): Record<string, TextEdit[]> {
    const own = Object.entries(changes).map(([uri, edits]) => {
      const path = ownPath(uri);
      if (path === undefined)
        throw new Error("this name is defined in a package, so it cannot be renamed here");
      return [browserUri(path), edits] as const;
    });
    return Object.fromEntries(own);
  }

  /** Returns the path of a file of the learner's folder that the browser may have. */
  function ownPath(uri: string): string | undefined {
    if (!uri.startsWith("file:")) return undefined;
    const full = fileURLToPath(uri);
    const roots = existsSync(folder) ? [folder, realpathSync(folder)] : [folder];
    const root = roots.find((one) => full.startsWith(one + sep));
    if (root === undefined) return undefined;
    const path = relative(root, full).split(sep).join("/");
    return problemOf(path) === undefined ? path : undefined;
  }

  function shownUri(uri: string): string | undefined {
    const path = ownPath(uri);
    if (path !== undefined) return browserUri(path);
    return uri.startsWith("file:") ? library.uriOf(fileURLToPath(uri)) : undefined;
  }

  async function answer(session: Session, message: Question): Promise<void> {
    const { epoch } = session;
    const result = await resultOf(session, message);
    if (session.epoch === epoch) session.send({ jsonrpc: "2.0", id: message.id, ...result });
  }

  function receive(session: Session, message: BrowserMessage): void {
    if (isQuestion(message)) {
      if (message.method === "initialize") {
        session.epoch++;
        closeAll(session);
      }
      void answer(session, message);
      return;
    }
    switch (message.method) {
      case "textDocument/didOpen": {
        const { uri: path, text, version } = message.params.textDocument;
        open(session, { path, text, version });
        break;
      }
      case "textDocument/didChange": {
        const { uri: path, version } = message.params.textDocument;
        const [{ text }] = message.params.contentChanges;
        if (session.documents.delete(path)) open(session, { path, text, version });
        break;
      }
      case "textDocument/didClose":
        close(session, message.params.textDocument.uri);
    }
  }

  return {
    get pid() {
      return server.pid;
    },
    library,
    connect(send) {
      const session: Session = {
        ...{ documents: new Map(), epoch: 0, send, completions: [], nextCompletion: 0 },
      };
      sessions.add(session);
      server.retry();
      return {
        receive: (message) => receive(session, message),
        close() {
          sessions.delete(session);
          session.epoch++;
          closeAll(session);
        },
      };
    },
    changed: (path) => server.changed(path),
    async [Symbol.asyncDispose]() {
      sessions.clear();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Returns the name that a diagnostic proposes. TypeScript's server has no quick fix for it. */
function spellingFix(
  { message, range }: { readonly message: string; readonly range: TextEdit["range"] },
  text: string,
): QuickFix | undefined {
  const [, newText] = /Did you mean '([\w$]+)'\?$/.exec(message) ?? [];
  const { start, end } = range;
  const misspelt = text.split(/\r?\n/)[start.line]?.slice(start.character, end.character) ?? "";
  if (newText === undefined || start.line !== end.line || !/^[\w$]+$/.test(misspelt)) return undefined;
  return { title: `Change spelling to '${newText}'`, edits: [{ range, newText }] };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** A change of the document that fixes a problem. */
export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

function isWithin(
  at: Position,
  { start, end }: { readonly start: Position; readonly end: Position },
): boolean {
  return !isBefore(at, start) && !isBefore(end, at);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

type Question = Extract<BrowserMessage, { readonly id: number }>;

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

function isQuestion(message: BrowserMessage): message is Question {
  return "id" in message;
}
