import { LSPPlugin } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, showDialog } from "@codemirror/view";
import { applyEdits, type ServerEdit } from "./completion.ts";
import { strings } from "./strings.ts";

/** Renames the name at the cursor in all files of the learner, at F2. The changed files are saved. */
export interface RenameOptions {
  /** Changes a file that is not in this editor, and saves it. Rejects, and changes nothing, if it cannot. */
  change(files: ReadonlyMap<string, readonly ServerEdit[]>): Promise<void>;
  /** Saves the file of this editor. */
  save(): void;
}

export function renameAtCursor(options: RenameOptions): Extension {
  return keymap.of([
    {
      key: "F2",
      preventDefault: true,
      run(view) {
        const word = view.state.wordAt(view.state.selection.main.head);
        if (!word) return false;
        const old = view.state.sliceDoc(word.from, word.to);
        const { close, result } = showDialog(view, {
          ...{ label: strings.newName, submitLabel: strings.rename, focus: true },
          input: { name: "name", value: old },
        });
        void result.then(async (form) => {
          view.dispatch({ effects: close });
          view.focus();
          const field = form?.elements.namedItem("name");
          const name = field instanceof HTMLInputElement ? field.value.trim() : "";
          if (name === "" || name === old) return;
          await rename(view, word.from, name, options).catch((error: unknown) => {
            LSPPlugin.get(view)?.reportError(strings.renameFailed, error);
          });
        });
        return true;
      },
    },
  ]);
}

async function rename(
  view: EditorView,
  position: number,
  newName: string,
  { change, save }: RenameOptions,
): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  const { client, uri } = plugin;
  client.sync();
  await client.withMapping(async (mapping) => {
    const answer = await client.request<object, { readonly changes: Readonly<Record<string, ServerEdit[]>> }>(
      "textDocument/rename",
      { textDocument: { uri }, position: plugin.toPosition(position), newName },
    );
    const { [uri]: own = [], ...others } = answer.changes;
    const files = new Map(Object.entries(others));
    if (own.length === 0 && files.size === 0) throw new Error(strings.noName);
    // First, because this editor's change can be undone.
    await change(files);
    applyEdits(view, uri, own, mapping);
    save();
    view.dispatch({ effects: EditorView.announce.of(strings.renamed(files.size + 1)) });
  });
}
