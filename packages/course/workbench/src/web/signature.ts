import { completionStatus } from "@codemirror/autocomplete";
import { signatureHelp } from "@codemirror/lsp-client";
import { Compartment, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** Shows the parameters of a call while it is typed. Escape closes them, and so does leaving the editor. */
export function signatures(): Extension {
  const help = signatureHelp();
  const part = new Compartment();
  const close = (view: EditorView): boolean => {
    if (view.dom.querySelector(".cm-lsp-signature-tooltip") === null) return false;
    // The library has no command that closes it. Removing and adding the extension does.
    view.dispatch({ effects: part.reconfigure([]) });
    view.dispatch({ effects: part.reconfigure(help) });
    return true;
  };
  return [
    part.of(help),
    // A list of completions closes first. One that is not shown yet would take the key.
    Prec.highest(
      keymap.of([{ key: "Escape", run: (view) => completionStatus(view.state) !== "active" && close(view) }]),
    ),
    EditorView.domEventObservers({ blur: (_event, view) => void close(view) }),
  ];
}
