import { autocompletion, closeBrackets, completeAnyWord } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { MergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

export interface CodeEditor {
  text(): string;
  /** Replaces the text, and keeps the cursor where it can. Does not call `onChange`. */
  setText(text: string): void;
  close(): void;
}

export interface CodeEditorOptions {
  readonly path: string;
  readonly text: string;
  onChange(): void;
  onSave(): void;
}

export function openCodeEditor(parent: HTMLElement, options: CodeEditorOptions): CodeEditor {
  let replacing = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...common(options.path),
        history(),
        closeBrackets(),
        indentOnInput(),
        autocompletion({ override: [completeAnyWord] }),
        keymap.of([
          {
            key: "Mod-s",
            preventDefault: true,
            run() {
              options.onSave();
              return true;
            },
          },
          // Escape and then Tab leaves the editor, as CodeMirror's documentation says.
          indentWithTab,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !replacing) options.onChange();
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      const head = Math.min(view.state.selection.main.head, text.length);
      replacing = true;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: head },
      });
      replacing = false;
    },
    close: () => view.destroy(),
  };
}

/** Shows the learner's file beside the page's. Returns a function that closes it. */
export function openComparison(
  parent: HTMLElement,
  { path, mine, page }: { readonly path: string; readonly mine: string; readonly page: string },
): () => void {
  const extensions = [...common(path), EditorState.readOnly.of(true)];
  const view = new MergeView({
    parent,
    a: { doc: mine, extensions },
    b: { doc: page, extensions },
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
  return () => view.destroy();
}

function common(path: string): Extension[] {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    bracketMatching(),
    syntaxHighlighting(colors),
    languageOf(path),
    EditorState.tabSize.of(2),
    EditorView.theme(look),
    EditorView.contentAttributes.of({ "aria-label": path }),
  ];
}

function languageOf(path: string): Extension {
  if (/\.[cm]?[jt]sx?$/.test(path)) return javascript({ typescript: /ts/.test(path), jsx: /x$/.test(path) });
  if (/\.json$/.test(path)) return json();
  if (/\.ya?ml$/.test(path)) return yaml();
  return [];
}

/** The same tokens as in the page's code. */
const colors = HighlightStyle.define([
  { tag: [t.keyword, t.modifier, t.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [t.string, t.special(t.string), t.regexp], color: "var(--code-string)" },
  { tag: t.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [t.number, t.bool, t.null], color: "var(--code-number)" },
  { tag: [t.typeName, t.className, t.definition(t.propertyName)], color: "var(--code-type)" },
  { tag: [t.function(t.variableName), t.function(t.propertyName)], color: "var(--code-function)" },
]);

const look = {
  "&": { height: "100%", fontSize: "13px", backgroundColor: "transparent", color: "var(--text)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-changedLine": { backgroundColor: "var(--changed) !important" },
  ".cm-collapsedLines": { background: "var(--raised)", color: "var(--muted)", fontFamily: "var(--sans)" },
  // The font lacks these signs.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '""' },
};
