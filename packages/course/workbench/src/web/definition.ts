import { jumpToDefinition } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** Goes to where the name at the cursor is defined, at F12 and at a click with Ctrl or Cmd. */
export function goToDefinition(): Extension {
  return [
    keymap.of([{ key: "F12", preventDefault: true, run: jumpToDefinition }]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null) return false;
        view.dispatch({ selection: { anchor: at } });
        jumpToDefinition(view);
        return true;
      },
    }),
  ];
}
