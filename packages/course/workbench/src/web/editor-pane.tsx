import { getJson, postJson } from "@operator-path/ui/web";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Comparison, FileView } from "../protocol.ts";
import { showTab } from "./actions.ts";
import type { CodeEditor } from "./code-editor.ts";
import { Icon } from "./icons.tsx";
import { type EditorTab, useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";

/** The learner's files: a list, and tabs with editors and comparisons. */
export function EditorPane() {
  const store = useStore();
  const { view, tabs, openTab } = useUi();
  return (
    <div class="editor-pane">
      <nav class="file-list" aria-label={strings.files}>
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
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div class="editor-area">
        {tabs.length > 0 && (
          <div class="file-tabs">
            {tabs.map((tab) => (
              <FileTab key={`${tab.kind}:${tab.path}`} tab={tab} isOpen={tab === openTab} />
            ))}
          </div>
        )}
        {openTab === undefined && <p class="note empty">{strings.noFile}</p>}
        {openTab?.kind === "file" && <FileEditor key={openTab.path} path={openTab.path} />}
        {openTab?.kind === "compare" && <CompareView key={openTab.path} tab={openTab} />}
      </div>
    </div>
  );
}

function FileTab({ tab, isOpen }: { readonly tab: EditorTab; readonly isOpen: boolean }) {
  const store = useStore();
  const name = tab.path.split("/").at(-1) ?? tab.path;
  const label = tab.kind === "compare" ? strings.compare(name) : name;
  const close = (): void => {
    const tabs = store.state().tabs.filter((one) => one !== tab);
    store.set({ tabs, ...(isOpen && { openTab: tabs.at(-1) }) });
  };
  return (
    <span class={isOpen ? "file-tab open" : "file-tab"}>
      <button
        type="button"
        class="file-name-button"
        title={tab.path}
        onClick={() => store.set({ openTab: tab })}
      >
        {label}
      </button>
      <button type="button" class="close" aria-label={strings.close(label)} onClick={close}>
        <Icon name="close" />
      </button>
    </span>
  );
}

type FileStatus = "saved" | "unsaved" | "changed on disk";

function FileEditor({ path }: { readonly path: string }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const version = useRef("none");
  const [status, setStatus] = useState<FileStatus>("saved");
  const [problem, setProblem] = useState<string>();
  const statusNow = useRef<FileStatus>("saved");
  const become = (next: FileStatus): void => {
    statusNow.current = next;
    setStatus(next);
  };

  const load = async (): Promise<void> => {
    const file = await getJson<FileView>(`/api/file?path=${encodeURIComponent(path)}`);
    if (file.version === version.current) return;
    version.current = file.version;
    editor.current?.setText(file.text);
    become("saved");
  };
  const save = async (force = false): Promise<void> => {
    if (!editor.current) return;
    const text = editor.current.text();
    try {
      const body = { path, text, ...(!force && { base: version.current }) };
      ({ version: version.current } = await postJson<FileView>("/api/file", body));
      setProblem(undefined);
      if (editor.current.text() === text) become("saved");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  useEffect(() => {
    let current = true;
    void (async () => {
      const [{ openCodeEditor }, file] = await Promise.all([
        import("./code-editor.ts"),
        getJson<FileView>(`/api/file?path=${encodeURIComponent(path)}`),
      ]);
      if (!current || !box.current) return;
      version.current = file.version;
      editor.current = openCodeEditor(box.current, {
        ...{ path, text: file.text },
        onChange: () => become("unsaved"),
        onSave: () => void save(),
      });
    })().catch((error: unknown) => setProblem(String(error)));
    const end = store.onFile((changed) => {
      if (changed !== path) return;
      if (statusNow.current === "saved") void load();
      else
        void getJson<FileView>(`/api/file?path=${encodeURIComponent(path)}`).then((file) => {
          if (file.version !== version.current) become("changed on disk");
        });
    });
    return () => {
      current = false;
      end();
      editor.current?.close();
    };
  }, [path]);

  return (
    <div class="file-editor">
      <div class="file-status" role="status">
        <span class="path">{path}</span>
        <span class="grow" />
        {problem !== undefined && <span class="problem">{problem}</span>}
        {status === "changed on disk" && (
          <>
            <span>{strings.changedOnDisk}</span>
            <button type="button" class="plain" onClick={() => void load()}>
              {strings.loadIt}
            </button>
            <button type="button" class="plain" onClick={() => void save(true)}>
              {strings.keepMine}
            </button>
          </>
        )}
        {status !== "changed on disk" && <span>{status === "saved" ? strings.saved : strings.unsaved}</span>}
        {status === "unsaved" && (
          <button type="button" class="plain" onClick={() => void save()}>
            {strings.save}
          </button>
        )}
      </div>
      <div class="code-mirror" ref={box} />
    </div>
  );
}

function CompareView({ tab }: { readonly tab: Extract<EditorTab, { kind: "compare" }> }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let close: (() => void) | undefined;
    let current = true;
    const show = async (): Promise<void> => {
      const query = `id=${encodeURIComponent(tab.id)}&hash=${tab.hash}`;
      const [{ openComparison }, found] = await Promise.all([
        import("./code-editor.ts"),
        getJson<Comparison>(`/api/compare?${query}`),
      ]);
      if (!current || !box.current) return;
      setProblem(found.page === undefined ? `${strings.noFit} ${found.problem ?? ""}` : undefined);
      close?.();
      close = openComparison(box.current, {
        ...{ path: tab.path, mine: found.mine, page: found.page ?? found.mine },
      });
    };
    show().catch((error: unknown) => setProblem(String(error)));
    const end = store.onFile((changed) => {
      if (changed === tab.path) void show().catch(() => {});
    });
    return () => {
      current = false;
      end();
      close?.();
    };
  }, [tab, store]);
  return (
    <div class="file-editor">
      <div class="file-status">
        <span>{strings.mine}</span>
        <span class="grow" />
        {problem !== undefined && <span class="problem">{problem}</span>}
        <span>{strings.thePages}</span>
      </div>
      <div class="code-mirror" ref={box} />
    </div>
  );
}
