import { useEffect, useRef, useState } from "preact/hooks";
import { showTab } from "./actions.ts";
import { CompareView } from "./compare-view.tsx";
import { FileEditor } from "./file-editor.tsx";
import { Icon } from "./icons.tsx";
import type { LanguageClient } from "./language-client.ts";
import { LibraryFile } from "./library-file.tsx";
import type { EditorTab } from "./open-tabs.ts";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useIsWide } from "./use-is-wide.ts";

/** Room for the list beside 80 columns of code, in pixels. */
const leastWithList = 900;

/** The learner's files: a list, and tabs with editors and comparisons. */
export function EditorPane() {
  const store = useStore();
  const { view, tabs, openTab, unsaved } = useUi();
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(box, leastWithList);
  const [chosen, setChosen] = useState<boolean>();
  // A list beside code would leave it fewer than 80 columns in a narrow pane.
  const hasList = openTab === undefined || (chosen ?? isWide ?? false);
  return (
    <div ref={box} class={hasList ? "editor-pane has-list" : "editor-pane"}>
      <nav id="file-list" class="file-list" aria-label={strings.files} hidden={!hasList}>
        <p class="folder">{view.folder}</p>
        {view.files.length === 0 && <p class="note">{strings.noFiles}</p>}
        <ul>
          {view.files.map((path) => (
            <li key={path}>
              <button
                type="button"
                class="file-item"
                aria-current={openTab?.kind === "file" && openTab.path === path ? "true" : undefined}
                onClick={() => showTab(store, { kind: "file", path })}
              >
                {path}
                {unsaved.has(path) && <UnsavedMark />}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div class="editor-area">
        {tabs.length > 0 && (
          <div class="file-tabs">
            <button
              type="button"
              class="quiet files-button"
              aria-expanded={hasList}
              aria-controls="file-list"
              onClick={() => setChosen(!hasList)}
            >
              {strings.files}
            </button>
            {tabs.map((tab) => (
              <FileTab key={`${tab.kind}:${tab.path}`} tab={tab} isOpen={tab === openTab} />
            ))}
          </div>
        )}
        {openTab === undefined && <p class="note empty">{strings.noFile}</p>}
        {openTab?.kind === "file" && (
          <FileEditor key={openTab.path} path={openTab.path} language={language} />
        )}
        {openTab?.kind === "library" && <LibraryFile key={openTab.path} tab={openTab} language={language} />}
        {openTab?.kind === "compare" && <CompareView key={openTab.path} tab={openTab} />}
      </div>
    </div>
  );
}

/** Returns what opens the page's language client: with the first file that it is for. */
function useLanguage(): () => Promise<LanguageClient> {
  const store = useStore();
  const client = useRef<Promise<LanguageClient> | undefined>(undefined);
  useEffect(() => () => void client.current?.then((opened) => opened.close()), []);
  return () => {
    client.current ??= import("./language-client.ts").then(({ openLanguageClient }) =>
      openLanguageClient(store, (place) => showTab(store, place)),
    );
    return client.current;
  };
}

function UnsavedMark() {
  return (
    <span class="unsaved" title={strings.notSaved}>
      <span class="sr">, {strings.notSaved}</span>
    </span>
  );
}

function FileTab({ tab, isOpen }: { readonly tab: EditorTab; readonly isOpen: boolean }) {
  const store = useStore();
  const { unsaved } = useUi();
  const name = tab.path.split("/").at(-1) ?? tab.path;
  const label = tab.kind === "compare" ? strings.compare(name) : name;
  const close = (): void => {
    const tabs = store.state().tabs.filter((one) => one !== tab);
    store.set({ tabs, ...(isOpen && { openTab: tabs.at(-1) }) });
    document.getElementById("tab-editor")?.focus();
  };
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isOpen) box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isOpen]);
  return (
    <span ref={box} class={isOpen ? "file-tab open" : "file-tab"}>
      <button
        type="button"
        class="file-name-button"
        title={tab.path}
        onClick={() => store.set({ openTab: tab })}
      >
        {label}
        {tab.kind === "file" && unsaved.has(tab.path) && <UnsavedMark />}
      </button>
      <button type="button" class="close" aria-label={strings.close(label)} onClick={close}>
        <Icon name="close" />
      </button>
    </span>
  );
}
