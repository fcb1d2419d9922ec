import { getJson } from "@operator-path/ui/web";
import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { ServerMessage, WorkbenchView } from "../protocol.ts";
import { type Connection, connect } from "./connection.ts";
import { createDraftKeeper, type DraftKeeper, type DraftState } from "./draft-keeper.ts";
import { type OpenTabs, readOpenTabs, writeOpenTabs } from "./open-tabs.ts";

/** What the page shows now. */
export interface UiState extends OpenTabs {
  readonly view: WorkbenchView;
  readonly connected: boolean;
  /** Anchor of the shown step. */
  readonly step: string;
  /** Files whose text is not saved. */
  readonly unsaved: ReadonlyMap<string, DraftState>;
  /** The terminal that takes the focus as soon as it is shown. */
  readonly typing?: string | undefined;
  /** The place that the editor shows as soon as the file is open. */
  readonly reveal?: { readonly path: string; readonly line: number } | undefined;
  /** Terminals with output since they were shown. */
  readonly unread: ReadonlySet<string>;
  /** What a command of the course does now, or has done last. */
  readonly doing: string;
  /** The pane that is shown on a narrow screen. */
  readonly pane: Pane;
}

export type Pane = "page" | "work" | "cluster";

export interface Store {
  state(): UiState;
  set(change: Partial<UiState>): void;
  subscribe(listener: () => void): () => void;
  /** Calls back with the output of a terminal. `whole` replaces what it shows. */
  onOutput(terminal: string, listener: (data: string, whole: boolean) => void): () => void;
  /** Calls back with the path of a file that changed on disk. */
  onFile(listener: (path: string) => void): () => void;
  /** Calls back with each message of the language server. */
  onLanguage(listener: (message: unknown) => void): () => void;
  readonly drafts: DraftKeeper;
  /** Calls back after each connect. */
  onConnect(listener: () => void): () => void;
  send(message: unknown): void;
}

export async function openStore(): Promise<Store> {
  const view = await getJson<WorkbenchView>("/api/workbench");
  const wanted = decodeURIComponent(location.hash.slice(1)) || (localStorage.getItem(stepKey(view)) ?? "");
  const step = view.page.steps.some(({ slug }) => slug === wanted) ? wanted : view.place;
  let state: UiState = {
    ...{ view, connected: true, step, ...readOpenTabs(view) },
    unsaved: new Map(view.drafts.map((path) => [path, "kept"])),
    ...{ unread: new Set<string>(), doing: "", pane: "page" },
  };
  const listeners = new Set<() => void>();
  const outputs = new Map<string, Set<(data: string, whole: boolean) => void>>();
  const files = new Set<(path: string) => void>();
  const languages = new Set<(message: unknown) => void>();
  const connects = new Set<() => void>();
  const set = (change: Partial<UiState>): void => {
    const before = state;
    state = { ...state, ...change };
    if (state.tab !== before.tab || state.tabs !== before.tabs || state.openTab !== before.openTab)
      writeOpenTabs(state.view, state);
    if (state.step !== before.step) localStorage.setItem(stepKey(state.view), state.step);
    for (const listener of listeners) listener();
  };
  const change = (part: Partial<WorkbenchView>): void => set({ view: { ...state.view, ...part } });

  // What came since the page asked for the whole state, which may be older.
  let since: ServerMessage[] | undefined;
  async function readView(): Promise<void> {
    const messages: ServerMessage[] = [];
    since = messages;
    try {
      const view = await getJson<WorkbenchView>("/api/workbench");
      if (since !== messages) return;
      set({ view: { ...view, answers: { ...view.answers, ...state.view.answers } } });
      for (const message of messages) changeView(message);
    } finally {
      if (since === messages) since = undefined;
    }
  }

  function changeView(message: ServerMessage): void {
    if (message.type === "action")
      change({ actions: { ...state.view.actions, [message.key]: message.state } });
    if (message.type === "steps") change({ steps: message.steps });
    if (message.type === "fault") change({ fault: message.report });
    if (message.type === "terminals") change({ terminals: message.terminals });
    if (message.type === "files") change({ files: message.files });
  }

  function receive(message: ServerMessage): void {
    since?.push(message);
    if (message.type === "files") for (const listener of files) listener(message.changed);
    changeView(message);
    if (message.type === "doing") set({ doing: message.what });
    if (message.type === "language") for (const listener of languages) listener(message.message);
    if (message.type !== "output" && message.type !== "scrollback") return;
    const whole = message.type === "scrollback";
    for (const listener of outputs.get(message.terminal) ?? []) listener(message.data, whole);
    const isNew = message.type === "output" && message.isPrinted && !state.unread.has(message.terminal);
    if (isNew && state.tab !== `terminal:${message.terminal}`)
      set({ unread: new Set([...state.unread, message.terminal]) });
  }

  const connection: Connection = connect({
    message: receive,
    connected() {
      for (const listener of connects) listener();
      set({ connected: true });
      void readView().catch(() => {});
    },
    disconnected: () => set({ connected: false }),
  });

  return {
    state: () => state,
    set,
    subscribe: (listener) => added(listeners, listener),
    onOutput(terminal, listener) {
      const all = outputs.get(terminal) ?? new Set();
      outputs.set(terminal, all);
      return added(all, listener);
    },
    onFile: (listener) => added(files, listener),
    onLanguage: (listener) => added(languages, listener),
    drafts: createDraftKeeper((path, draft) => {
      const unsaved = new Map(state.unsaved);
      if (draft === undefined) unsaved.delete(path);
      else unsaved.set(path, draft);
      set({ unsaved });
    }),
    onConnect: (listener) => added(connects, listener),
    send: (message) => connection.send(message),
  };
}

/** The step that was shown last. A learner reads on there, even if its commands are done. */
function stepKey({ page }: WorkbenchView): string {
  return `step:${page.name}`;
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => all.delete(one);
}

export const StoreContext = createContext<Store | undefined>(undefined);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("this component needs a StoreContext around it");
  return store;
}

/** Returns the state, and renders again when it changes. */
export function useUi(): UiState {
  const store = useStore();
  const [state, setState] = useState(store.state());
  // An effect after the drawing would miss the changes that come before it.
  useLayoutEffect(() => store.subscribe(() => setState(store.state())), [store]);
  return state;
}
