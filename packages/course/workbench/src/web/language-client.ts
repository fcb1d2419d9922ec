import { hoverTooltips, LSPClient, serverDiagnostics } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import DOMPurify from "dompurify";
import { completions, type ServerCompletion } from "./completion.ts";
import { goToDefinition } from "./definition.ts";
import { type RenameOptions, renameAtCursor } from "./rename.ts";
import { signatures } from "./signature.ts";
import { showTypeAtCursor } from "./type-at-cursor.ts";

/** The part of the page's connection that the language server uses. */
export interface LanguageConnection {
  send(message: unknown): void;
  /** Calls back with each message of the language server. Returns a function that ends it. */
  onLanguage(listener: (message: unknown) => void): () => void;
  /** Calls back after each connect of the socket. */
  onConnect(listener: () => void): () => void;
}

/** A file that can be shown in an editor: the learner's own, or one of a package. */
export type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "library"; readonly path: string; readonly id: string };

/** The editor's side of the language server. A page has one, for all its files. */
export interface LanguageClient {
  /** Returns what an editor of this file needs. A file may be in one editor at a time. */
  extensionsFor(path: string, rename: RenameOptions): Extension;
  /** Returns what an editor of a package's file needs. */
  extensionsForLibrary(place: Extract<Place, { kind: "library" }>): Extension;
  /** Calls back with the server's message when it has stopped for good. Returns a function that ends it. */
  onFailure(listener: (message: string) => void): () => void;
  close(): void;
}

/** Projects are read from disk at the first question. */
const timeoutMs = 60_000;

/** Documentation of packages is Markdown, which may contain any HTML. */
const allowed = {
  ALLOWED_TAGS: "p br hr pre code span em strong b i ul ol li blockquote table thead tbody tr th td".split(
    " ",
  ),
  ALLOWED_ATTR: ["class"],
};

/** @param show opens an editor with a file */
export function openLanguageClient(
  connection: LanguageConnection,
  show: (place: Place) => void,
): LanguageClient {
  const views = new Map<string, EditorView>();
  const waiting = new Map<string, (view: EditorView) => void>();
  let newest: readonly ServerCompletion[] = [];
  const failures = new Set<(message: string) => void>();
  const client = new LSPClient({
    timeout: timeoutMs,
    sanitizeHTML: (html) => DOMPurify.sanitize(html, allowed),
    notificationHandlers: {
      "window/showMessage"(_client, { message }: { message: string }) {
        for (const listener of failures) listener(message);
        return true;
      },
    },
    extensions: [
      ...[serverDiagnostics(), hoverTooltips(), signatures(), showTypeAtCursor(), goToDefinition()],
      // The server may still read the project when a pointer rests on a word. There is no tooltip then.
      EditorView.exceptionSink.of((error: unknown) => {
        if (!(error instanceof Error && error.message === "Request timed out")) console.error(error);
      }),
    ],
  });
  const listeners = new Map<(message: string) => void, () => void>();
  const transport = {
    send: (message: string) => connection.send({ type: "language", message: JSON.parse(message) as unknown }),
    subscribe(listener: (message: string) => void) {
      listeners.set(
        listener,
        connection.onLanguage((message) => {
          newest = completionsIn(message) ?? newest;
          listener(JSON.stringify(message));
        }),
      );
    },
    unsubscribe(listener: (message: string) => void) {
      listeners.get(listener)?.();
      listeners.delete(listener);
    },
  };
  client.workspace.displayFile = async (uri) => {
    const opened = new Promise<EditorView>((resolve) => waiting.set(uri, resolve));
    show(placeOf(uri));
    const view = views.get(uri) ?? (await opened);
    waiting.delete(uri);
    view.focus();
    return view;
  };
  const known = (uri: string): Extension =>
    ViewPlugin.define((view) => {
      views.set(uri, view);
      waiting.get(uri)?.(view);
      return { destroy: () => void (views.get(uri) === view && views.delete(uri)) };
    });
  const connect = (): void => {
    client.connect(transport);
    // A connection that was lost meanwhile. The next one initializes again.
    client.initializing.catch(() => {});
  };
  connect();
  const unsubscribe = connection.onConnect(() => {
    client.disconnect();
    connect();
  });
  return {
    extensionsFor: (path, rename) => [
      client.plugin(uriOf(path), "typescript"),
      completions(() => newest),
      renameAtCursor(rename),
      known(uriOf(path)),
    ],
    extensionsForLibrary: ({ id, path }) => known(libraryUri(id, path)),
    onFailure(listener) {
      failures.add(listener);
      return () => failures.delete(listener);
    },
    close() {
      unsubscribe();
      client.disconnect();
    },
  };
}

/** The server knows the learner's folder as the root. */
function uriOf(path: string): string {
  return `file:///${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The server numbers the files of packages. */
function libraryUri(id: string, path: string): string {
  return `library:///${id}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Returns the path of a learner's file. */
export function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice("file:///".length));
}

function placeOf(uri: string): Place {
  const [, id, path] = /^library:\/\/\/(\d+)\/(.*)$/.exec(uri) ?? [];
  if (id === undefined || path === undefined) return { kind: "file", path: pathOf(uri) };
  return { kind: "library", id, path: decodeURIComponent(path) };
}

/** Returns the items of a message that answers a request for completions. */
function completionsIn(message: unknown): readonly ServerCompletion[] | undefined {
  const { result } = message as { readonly result?: { readonly items?: readonly ServerCompletion[] } | null };
  return result?.items;
}
