import { LSPPlugin } from "@codemirror/lsp-client";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { strings } from "./strings.ts";

const setTooltip = StateEffect.define<Tooltip | null>();

const tooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTooltip)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Shows what the pointer would show at the cursor, at a key. A screen reader reads it. */
export function showTypeAtCursor(): Extension {
  return [
    tooltip,
    keymap.of([
      {
        key: "Mod-k Mod-i",
        run(view) {
          void show(view);
          return true;
        },
      },
      {
        key: "Escape",
        run(view) {
          if (view.state.field(tooltip) === null) return false;
          view.dispatch({ effects: setTooltip.of(null) });
          return true;
        },
      },
    ]),
  ];
}

async function show(view: EditorView): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  const { head } = view.state.selection.main;
  plugin.client.sync();
  const hover = await plugin.client
    .request<object, { readonly contents: { readonly value: string } } | null>("textDocument/hover", {
      textDocument: { uri: plugin.uri },
      position: plugin.toPosition(head),
    })
    .catch(() => null);
  if (view.state.selection.main.head !== head) return;
  const dom = document.createElement("div");
  dom.className = "cm-lsp-hover-tooltip cm-lsp-documentation";
  if (hover) dom.innerHTML = plugin.docToHTML(hover.contents.value, "markdown");
  else dom.textContent = strings.noType;
  showAt(view, head, dom);
}

/** Shows a text at the cursor until the cursor moves or the text changes. Needs `showTypeAtCursor`. */
export function showAtCursor(view: EditorView, text: string): void {
  const dom = document.createElement("div");
  dom.className = "cm-lsp-documentation";
  dom.textContent = text;
  showAt(view, view.state.selection.main.head, dom);
}

function showAt(view: EditorView, pos: number, dom: HTMLElement): void {
  view.dispatch({
    effects: [
      setTooltip.of({ pos, above: true, create: () => ({ dom }) }),
      EditorView.announce.of(dom.textContent ?? ""),
    ],
  });
}
