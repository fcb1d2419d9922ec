import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { LSPPlugin, serverCompletionSource, type WorkspaceMapping } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { strings } from "./strings.ts";
import { showAtCursor } from "./type-at-cursor.ts";

/** A place in a file, as the server counts. */
export interface ServerPosition {
  readonly line: number;
  readonly character: number;
}

/** A change of a file, as the server says it. */
export interface ServerEdit {
  readonly range: { readonly start: ServerPosition; readonly end: ServerPosition };
  readonly newText: string;
}

/** A completion, as the server says it. Those with an import have a number. */
export interface ServerCompletion {
  readonly data?: number;
}

interface QuickFix {
  readonly title: string;
  readonly edits: readonly ServerEdit[];
}

/**
 * Completions that bring their import with them, and quick fixes at Mod-. in the same list.
 *
 * @param latest returns the server's newest completions, in its order
 */
export function completions(latest: () => readonly ServerCompletion[]): Extension {
  // What the next opening of the list shows in the place of completions.
  let fixes: readonly QuickFix[] | undefined;
  const source: CompletionSource = (context) => {
    const shown = fixes;
    fixes = undefined;
    return shown ? fixList(shown, context) : withImports(context, latest);
  };
  return [
    autocompletion({ override: [source] }),
    keymap.of([
      {
        key: "Mod-.",
        preventDefault: true,
        run(view) {
          void findFixes(view).then((found) => {
            if (found.length === 0) {
              showAtCursor(view, strings.noFix);
              return;
            }
            fixes = found;
            startCompletion(view);
          });
          return true;
        },
      },
    ]),
  ];
}

async function withImports(
  context: CompletionContext,
  latest: () => readonly ServerCompletion[],
): Promise<CompletionResult | null> {
  const result = await serverCompletionSource(context);
  if (!result) return null;
  // The library makes an option of each item, and drops its number.
  const items = latest();
  const options = result.options.map((option, i): Completion => {
    const data = items[i]?.data;
    if (data === undefined) return option;
    const text = typeof option.apply === "string" ? option.apply : option.label;
    return {
      ...option,
      apply: (view, completion, from, to) => {
        const insert = { ...insertCompletionText(view.state, text, from, to) };
        insertWithImport(view, data, () =>
          view.dispatch(insert, { annotations: pickedCompletion.of(completion) }),
        );
      },
    };
  });
  return { ...result, options };
}

/** Inserts the name at once, and its import when the server has said where. */
function insertWithImport(view: EditorView, data: number, insert: () => void): void {
  const plugin = LSPPlugin.get(view);
  if (!plugin) {
    insert();
    return;
  }
  const { client, uri } = plugin;
  client.sync();
  void client.withMapping(async (mapping) => {
    const answer = client.request<object, { readonly additionalTextEdits: readonly ServerEdit[] } | null>(
      "completionItem/resolve",
      { textDocument: { uri }, data },
    );
    insert();
    const item = await answer.catch(() => null);
    if (item) applyEdits(view, uri, item.additionalTextEdits, mapping);
  });
}

/** Applies changes that the server has made of the text when `mapping` began. */
export function applyEdits(
  view: EditorView,
  uri: string,
  edits: readonly ServerEdit[],
  mapping: WorkspaceMapping,
): void {
  view.dispatch({
    changes: edits.map(({ range, newText }) => ({
      from: mapping.mapPosition(uri, range.start),
      to: mapping.mapPosition(uri, range.end),
      insert: newText,
    })),
  });
}

async function findFixes(view: EditorView): Promise<readonly QuickFix[]> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return [];
  plugin.client.sync();
  const position = plugin.toPosition(view.state.selection.main.head);
  return plugin.client
    .request<object, readonly QuickFix[] | null>("textDocument/codeAction", {
      ...{ textDocument: { uri: plugin.uri }, position },
    })
    .then((found) => found ?? [])
    .catch(() => []);
}

function fixList(fixes: readonly QuickFix[], { pos, state }: CompletionContext): CompletionResult {
  const { doc } = state;
  return {
    ...{ from: pos, filter: false },
    options: fixes.map(({ title, edits }) => ({
      label: title,
      apply(view: EditorView) {
        const plugin = LSPPlugin.get(view);
        if (!plugin) return;
        // A change of the text closes the list, so the text is still the one that the server knows.
        view.dispatch({
          changes: edits.map(({ range, newText }) => ({
            from: plugin.fromPosition(range.start, doc),
            to: plugin.fromPosition(range.end, doc),
            insert: newText,
          })),
        });
      },
    })),
  };
}
