import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

/** A running language server. */
export interface LanguageProcess {
  readonly pid: number | undefined;
  /** Whether the server still answers. */
  isOpen(): boolean;
  /** Sends a request. Rejects if the server refuses it, or ends. */
  request(method: string, params: unknown): Promise<unknown>;
  /** Sends a notification. Does nothing if the server has ended. */
  notify(method: string, params: unknown): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Ends the process. Resolves when it has ended. */
  close(): Promise<void>;
}

export interface LanguageProcessOptions {
  /** Absolute path of a `tsc` of TypeScript 7 or newer. */
  readonly tsc: string;
  /** Absolute path of the project. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called when diagnostics may have changed, other than by a change of an open file. */
  onRefresh(): void;
}

/** How long the server may take to end by itself, in milliseconds. */
const graceMs = 2000;

/** What the server asks its editor for. It downloads no types: nothing here loads from the network. */
const settings = { disableAutomaticTypeAcquisition: true, suggest: { autoImports: true } };

const capabilities = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    hover: { contentFormat: ["markdown", "plaintext"] },
    completion: {
      completionItem: {
        documentationFormat: ["markdown", "plaintext"],
        labelDetailsSupport: true,
        resolveSupport: { properties: ["additionalTextEdits"] },
      },
      contextSupport: true,
    },
    definition: {},
    rename: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    signatureHelp: {
      signatureInformation: {
        documentationFormat: ["markdown", "plaintext"],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    diagnostic: {},
  },
  workspace: { configuration: true, diagnostics: { refreshSupport: true } },
};

/** Starts `tsc --lsp`. Resolves when it is ready. Rejects if it ends before. */
export async function startLanguageProcess(options: LanguageProcessOptions): Promise<LanguageProcess> {
  const { tsc, folder, env, onRefresh } = options;
  const child = spawn(process.execPath, [tsc, "--lsp", "--stdio"], {
    // The project may not exist yet.
    cwd: dirname(tsc),
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  }).then(() => {
    isOpen = false;
    // Rejects what still waits for an answer.
    connection.dispose();
  });
  // `ended` reports what these would.
  child.stdin.on("error", () => {});
  connection.onError(() => {});
  let isOpen = true;
  connection.onClose(() => {
    isOpen = false;
    // It cannot be asked any more.
    child.kill("SIGKILL");
  });
  connection.onRequest("workspace/configuration", ({ items }: { items: readonly { section?: string }[] }) =>
    items.map(({ section }) => (section === "typescript" ? settings : null)),
  );
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("workspace/diagnostic/refresh", () => {
    onRefresh();
    return null;
  });
  connection.listen();
  const close = async (): Promise<void> => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await ended;
    clearTimeout(timer);
  };
  const uri = pathToFileURL(folder).href;
  try {
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "project" }], capabilities },
    });
    await connection.sendNotification("initialized", {});
  } catch (error) {
    await close();
    throw error;
  }
  return {
    pid: child.pid,
    isOpen: () => isOpen,
    request: (method, params) => connection.sendRequest(method, params),
    notify(method, params) {
      if (isOpen) connection.sendNotification(method, params).catch(() => {});
    },
    ended,
    close,
  };
}
