import { autocompletion, closeBrackets, completeAnyWord } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import {
  type Diagnostic,
  forEachDiagnostic,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnosticsEffect,
} from "@codemirror/lint";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags as t } from "@lezer/highlight";
import type { ServerEdit, ServerPosition } from "./completion.ts";
import { strings } from "./strings.ts";

export interface CodeEditor {
  text(): string;
  /** Replaces the text, and keeps the cursor where it can. Does not call `onChange`. */
  setText(text: string): void;
  /** Shows another version of the file within this one, to choose from. Undefined: no more. */
  showOther(text: string | undefined): void;
  /** How often the reader has typed or moved the cursor. */
  touches(): number;
  /** The line of the cursor, from 1. */
  line(): number;
  /** Moves the cursor to a place in the text, and the focus into the editor. */
  goTo(position: number): void;
  /** Moves the cursor to a line, from 1, and shows it. The focus stays where it is. */
  showLine(line: number): void;
  focus(): void;
  close(): void;
}

/** A diagnostic of the language server. */
export interface Problem {
  readonly severity: Diagnostic["severity"];
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** Place in the text. */
  readonly from: number;
}

export interface CodeEditorOptions {
  readonly path: string;
  readonly text: string;
  /** What a language server adds. Default: completes words of the text. */
  readonly language?: Extension;
  /** Shows the text only. */
  readonly readOnly?: boolean;
  onChange(): void;
  onSave(): void;
  /** Called when the diagnostics have changed. */
  onProblems?(problems: readonly Problem[]): void;
}

export function openCodeEditor(parent: HTMLElement, options: CodeEditorOptions): CodeEditor {
  let replacing = false;
  let touches = 0;
  const other = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...common(options.path),
        other.of([]),
        EditorState.readOnly.of(options.readOnly === true),
        history(),
        closeBrackets(),
        indentOnInput(),
        options.language ?? autocompletion({ override: [completeAnyWord] }),
        keymap.of([
          {
            key: "Mod-s",
            preventDefault: true,
            run() {
              options.onSave();
              return true;
            },
          },
          { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
          // Escape and then Tab leaves the editor, as CodeMirror's documentation says.
          indentWithTab,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        // What is typed here is no shortcut of another pane.
        EditorView.domEventObservers({ keydown: (event) => event.stopPropagation() }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (transactions.some((one) => one.annotation(Transaction.userEvent) !== undefined)) touches++;
          if (docChanged && !replacing) options.onChange();
          const isNew = transactions.some(({ effects }) =>
            effects.some((one) => one.is(setDiagnosticsEffect)),
          );
          if (isNew) options.onProblems?.(problemsOf(state));
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
    showOther: (text) =>
      view.dispatch({
        effects: other.reconfigure(text === undefined ? [] : otherText(text, () => view.focus())),
      }),
    touches: () => touches,
    line: () => view.state.doc.lineAt(view.state.selection.main.head).number,
    goTo(position) {
      const anchor = Math.min(position, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    showLine(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** @param taken called after a choice, when its buttons have been removed */
function otherText(original: string, taken: () => void): Extension {
  return unifiedMergeView({
    original,
    highlightChanges: false,
    mergeControls(type, action) {
      const button = document.createElement("button");
      button.type = "button";
      button.name = type;
      button.textContent = type === "reject" ? strings.takeChange : strings.keepChange;
      // The focus stays in the editor for a pointer, and a key works, too.
      button.onmousedown = (event) => event.preventDefault();
      button.onclick = (event) => {
        action(event);
        taken();
      };
      return button;
    },
  });
}

/** Returns a text with the server's changes of it. */
export function withEdits(text: string, edits: readonly ServerEdit[]): string {
  // By hand, because a document of CodeMirror would change line ends.
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: ServerPosition): number => (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (changed, { range, newText }) =>
        changed.slice(0, offset(range.start)) + newText + changed.slice(offset(range.end)),
      text,
    );
}

function problemsOf(state: EditorState): Problem[] {
  const problems: Problem[] = [];
  forEachDiagnostic(state, ({ severity, message }, from) => {
    problems.push({ severity, message, line: state.doc.lineAt(from).number, from });
  });
  return problems;
}

export interface Compared {
  readonly path: string;
  readonly mine: string;
  readonly page: string;
  /** Shows two columns. Otherwise one text, in which the learner's lines are struck out. */
  readonly isWide: boolean;
}

/** Compares the learner's file with the page's. Returns a function that closes it. */
export function openComparison(parent: HTMLElement, { path, mine, page, isWide }: Compared): () => void {
  const extensions = [...common(path), EditorState.readOnly.of(true), EditorView.lineWrapping];
  // Two texts that are the same would fold into one line.
  const folds = mine === page ? {} : { collapseUnchanged: { margin: 3, minSize: 6 } };
  if (isWide) {
    const view = new MergeView({
      ...{ parent, ...folds },
      a: { doc: mine, extensions },
      b: { doc: page, extensions },
    });
    return () => view.destroy();
  }
  const inOne = unifiedMergeView({
    ...{ original: mine, ...folds },
    ...{ highlightChanges: false, mergeControls: false },
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: page, extensions: [...extensions, inOne] }),
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
    EditorState.phrases.of(strings.searchPhrases),
    EditorView.theme(look),
    EditorView.contentAttributes.of({
      ...{ "aria-label": path, "aria-description": strings.leaveEditor, "data-first": "" },
    }),
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
  // Long lines scroll below the gutter.
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--muted)",
    border: "none",
    paddingRight: "8px",
  },
  ".cm-activeLine": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--busy)" },
  ".cm-lintRange": {
    textDecorationThickness: "1px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-active": { backgroundColor: "var(--removed)" },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--busy)" },
  ".cm-tooltip": {
    ...{
      maxWidth: "min(560px, calc(100vw - 24px))",
      border: "1px solid var(--line-strong)",
      borderRadius: "8px",
    },
    ...{ backgroundColor: "var(--raised)", color: "var(--text)", boxShadow: "0 8px 24px #0000001f" },
    ...{ fontSize: "12px", overflow: "hidden" },
  },
  ".cm-lsp-documentation": { maxHeight: "240px", overflow: "auto", padding: "6px 10px", lineHeight: "1.5" },
  ".cm-lsp-documentation pre, .cm-lsp-signature": { fontFamily: "var(--mono)", whiteSpace: "pre-wrap" },
  // So small that it fits above the line, also at the top of the file.
  ".cm-tooltip.cm-lsp-signature-tooltip": { padding: "4px 10px", fontSize: "11px", lineHeight: "1.5" },
  ".cm-lsp-signature-tooltip .cm-lsp-signature": { maxHeight: "3lh", overflow: "auto" },
  ".cm-lsp-signature-tooltip .cm-lsp-documentation": {
    ...{ fontSize: "1em", lineHeight: "inherit", padding: "0", maxHeight: "2lh", color: "var(--muted)" },
    "& p": { margin: "0" },
  },
  ".cm-tooltip-section:not(:first-child)": { borderTop: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "200px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    ...{ backgroundColor: "var(--selection)", color: "var(--text)" },
  },
  ".cm-completionDetail, .cm-completionIcon": { color: "var(--muted)", opacity: "1" },
  ".cm-panels": {
    ...{ backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--line)" },
    ...{ fontFamily: "var(--sans)", fontSize: "12px" },
  },
  ".cm-panel.cm-search": {
    ...{ display: "flex", alignItems: "center", gap: "4px", padding: "4px 8px" },
    "& br": { display: "none" },
    // The editor has one selection.
    "& [name=select]": { display: "none" },
    "& input, & button, & label": { margin: "0" },
    "& label": { display: "flex", alignItems: "center", gap: "4px", fontSize: "1em" },
    "& [name=close]": { position: "static", order: "1", padding: "0 4px", fontSize: "16px" },
  },
  // At this width, the row has room for what is needed most.
  "@container (max-width: 640px)": {
    ".cm-panel.cm-search label:has([name=re], [name=word])": { display: "none" },
  },
  ".cm-textfield": {
    ...{ flex: "1 1 72px", minWidth: "0", height: "24px", padding: "0 8px" },
    ...{ border: "1px solid var(--line-strong)", borderRadius: "4px" },
    ...{ backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "12px" },
  },
  ".cm-button": {
    ...{ height: "24px", padding: "0 8px", border: "1px solid var(--line-strong)", borderRadius: "4px" },
    ...{ background: "var(--raised)", color: "var(--text)", fontSize: "12px", whiteSpace: "nowrap" },
    "&:hover, &:active": { background: "var(--hover)" },
  },
  ".cm-searchMatch": { backgroundColor: "var(--changed)", outline: "1px solid var(--busy)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--selection)" },
  ".cm-deletedLine, .cm-deletedLine del": { textDecoration: "line-through" },
  ".cm-deletedChunk": {
    backgroundColor: "var(--removed)",
    "& button, & button[name=accept], & button[name=reject]": {
      ...{ padding: "1px 8px", border: "1px solid var(--line-strong)", borderRadius: "4px" },
      ...{ backgroundColor: "var(--raised)", color: "var(--text)", font: "12px var(--sans)" },
    },
  },
  ".cm-changedLine": { backgroundColor: "var(--changed) !important" },
  ".cm-collapsedLines": { background: "var(--raised)", color: "var(--muted)", fontFamily: "var(--sans)" },
  // The font lacks these signs.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '""' },
};
