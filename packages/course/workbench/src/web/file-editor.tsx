import { postJson } from "@operator-path/ui/web";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileView, SavedFile } from "../protocol.ts";
import { openInEditor, readFile } from "./actions.ts";
import type { CodeEditor, Problem } from "./code-editor.ts";
import type { ServerEdit } from "./completion.ts";
import { FileBar, FileMessage, OwnEditorButton } from "./file-bar.tsx";
import type { LanguageClient } from "./language-client.ts";
import { ProblemList } from "./problem-list.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";

/** TypeScript's own files. The language server is for no others. */
const isTypeScript = (path: string): boolean => /\.[cm]?ts$/.test(path);

/** Changes files that are in no editor, and saves them. */
async function changeFiles(edits: ReadonlyMap<string, readonly ServerEdit[]>): Promise<void> {
  const { pathOf } = await import("./language-client.ts");
  const { withEdits } = await import("./code-editor.ts");
  const files = await Promise.all(
    [...edits].map(async ([uri, changes]) => ({ ...(await readFile(pathOf(uri))), changes })),
  );
  for (const { path, text, version, changes } of files)
    await postJson("/api/file", { path, text: withEdits(text, changes), base: version });
}

type FileText = Pick<FileView, "text" | "version">;

type FileStatus = "saved" | "unsaved" | "changed on disk";

interface FileEditorProps {
  readonly path: string;
  language(): Promise<LanguageClient>;
}

/** A file of the learner, its state, and its problems. */
export function FileEditor({ path, language }: FileEditorProps) {
  const store = useStore();
  const { unsaved, reveal } = useUi();
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const opening = useRef<Promise<void>>(undefined);
  // What the text began with.
  const base = useRef<FileText>({ text: "", version: "none" });
  // What is on disk, while that is something else.
  const other = useRef<FileText | undefined>(undefined);
  const [status, setStatus] = useState<FileStatus>("saved");
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState<string>();
  const [problems, setProblems] = useState<readonly Problem[]>();
  const [failure, setFailure] = useState<string>();
  const statusNow = useRef<FileStatus>("saved");
  const become = (next: FileStatus): void => {
    statusNow.current = next;
    setStatus(next);
  };

  const becomeSaved = (file: FileText): void => {
    base.current = file;
    other.current = undefined;
    editor.current?.showOther(undefined);
    setProblem(undefined);
    become("saved");
  };
  const show = (file: FileText): void => {
    editor.current?.setText(file.text);
    becomeSaved(file);
  };
  const showBoth = (file: FileText): void => {
    other.current = file;
    editor.current?.showOther(file.text);
    become("changed on disk");
  };
  const keepDraft = (text: string): void => store.drafts.keep(path, { text, version: base.current.version });
  const drop = async (text: string): Promise<string | undefined> => {
    const before = store.drafts.hold(path);
    // What is typed from now on is a new draft.
    store.drafts.forget(path);
    await before;
    return (await postJson<{ kept?: string }>("/api/draft/drop", { path, text })).kept;
  };

  const onChange = (): void => {
    const text = editor.current?.text() ?? "";
    const disk = other.current ?? base.current;
    setNote(undefined);
    if (text === disk.text) {
      becomeSaved(disk);
      void drop(text).catch(() => {});
      return;
    }
    if (statusNow.current === "saved") become("unsaved");
    keepDraft(text);
  };
  const follow = async (): Promise<void> => {
    const file = await readFile(path);
    const text = editor.current?.text();
    if (text === undefined || file.version === (other.current ?? base.current).version) return;
    if (statusNow.current === "saved") show(file);
    else if (file.version === base.current.version) {
      other.current = undefined;
      editor.current?.showOther(undefined);
      become("unsaved");
    } else if (text !== file.text) showBoth(file);
    else {
      becomeSaved(file);
      await drop(text);
    }
  };
  /** Saves over the version on disk that the learner has seen. */
  const save = async (seen: FileText = base.current): Promise<void> => {
    const text = editor.current?.text();
    if (text === undefined) return;
    if (other.current && seen !== other.current) {
      setProblem(strings.chooseFirst);
      return;
    }
    try {
      await store.drafts.hold(path);
      const body = { path, text, base: seen.version, replaces: seen !== base.current };
      const { version, kept } = await postJson<SavedFile>("/api/file", body);
      setNote(kept && strings.othersKept(kept));
      const now = editor.current?.text();
      becomeSaved({ text, version });
      if (now === undefined || now === text) store.drafts.forget(path);
      else {
        become("unsaved");
        keepDraft(now);
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      keepDraft(editor.current?.text() ?? text);
      await follow().catch(() => {});
    }
  };
  // The buttons go away when the file is saved.
  const saveByButton = async (seen?: FileText): Promise<void> => {
    await save(seen);
    editor.current?.focus();
  };
  const load = async (): Promise<void> => {
    const disk = other.current;
    const text = editor.current?.text();
    if (!disk || text === undefined) return;
    try {
      const kept = await drop(text);
      show(disk);
      editor.current?.focus();
      setNote(kept && strings.yoursKept(kept));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      keepDraft(text);
    }
  };
  /** The server knows the other files as they are on disk, so an unsaved text would keep the old name. */
  const change = async (edits: ReadonlyMap<string, readonly ServerEdit[]>): Promise<void> => {
    const other = [...store.state().unsaved.keys()].find((one) => one !== path && isTypeScript(one));
    if (other !== undefined) throw new Error(strings.saveOther(other));
    await changeFiles(edits);
  };
  useEffect(() => {
    let current = true;
    const ends: (() => void)[] = [];
    const isOpen = (async () => {
      const client = isTypeScript(path) ? language() : undefined;
      const [{ openCodeEditor }, file, opened] = await Promise.all([
        import("./code-editor.ts"),
        readFile(path),
        client,
      ]);
      if (!current || !box.current) return;
      // This window's own text is the newest.
      const draft = store.drafts.find(path) ?? file.draft;
      if (opened)
        ends.push(
          opened.onFailure((message) => {
            setProblems([]);
            setFailure(message);
          }),
        );
      editor.current = openCodeEditor(box.current, {
        ...{ path, text: draft?.text ?? file.text },
        ...(opened && {
          language: opened.extensionsFor(path, { change, save: () => void save() }),
        }),
        onChange,
        onSave: () => void save(),
        onProblems: setProblems,
      });
      base.current = file;
      if (!draft || draft.text === file.text) return;
      base.current = { text: draft.version === file.version ? file.text : "", version: draft.version };
      keepDraft(draft.text);
      if (draft.version === file.version) become("unsaved");
      else showBoth(file);
    })().catch((error: unknown) => setProblem(String(error)));
    opening.current = isOpen;
    const end = store.onFile((changed) => {
      // What was read while the editor opened may be older than this change.
      if (changed === path) void isOpen.then(follow).catch(() => {});
    });
    // A change while the connection was lost is not told.
    const endConnects = store.onConnect(() => void isOpen.then(follow).catch(() => {}));
    return () => {
      current = false;
      end();
      endConnects();
      for (const one of ends) one();
      const { current: open } = editor;
      editor.current = undefined;
      open?.close();
    };
  }, [path]);

  useEffect(() => {
    if (reveal?.path !== path) return;
    const showPlace = async (): Promise<void> => {
      await opening.current;
      const touches = editor.current?.touches();
      // The change may have reached the disk, and not this editor.
      await follow();
      // A learner who already types keeps the cursor.
      if (editor.current?.touches() === touches) editor.current?.showLine(reveal.line);
      store.set({ reveal: undefined });
    };
    void showPlace().catch(() => {});
  }, [reveal]);

  const ownButton = useRef<HTMLButtonElement>(null);
  const ownEditor = useTask(async () => {
    if (statusNow.current === "unsaved") await save();
    if (statusNow.current !== "saved") throw new Error(strings.saveFirst);
    return openInEditor(path, editor.current?.line() ?? 1);
  });
  const opened = ownEditor.problem ?? ownEditor.result?.text;
  const closeOpened = (): void => {
    ownEditor.clear();
    ownButton.current?.focus();
  };

  return (
    <div class="file-editor">
      <FileBar
        path={path}
        state={status === "unsaved" && unsaved.get(path) === "failed" ? strings.notKept : statusTexts[status]}
      >
        {status === "changed on disk" && (
          <>
            <button type="button" class="plain" onClick={() => void load()}>
              {strings.loadIt}
            </button>
            <button type="button" class="plain" onClick={() => void saveByButton(other.current)}>
              {strings.keepMine}
            </button>
          </>
        )}
        {status === "unsaved" && (
          <button type="button" class="plain" onClick={() => void saveByButton()}>
            {strings.save}
          </button>
        )}
        <OwnEditorButton
          busy={ownEditor.busy}
          button={ownButton}
          open={() => void ownEditor.start(undefined)}
        />
      </FileBar>
      {problem !== undefined && <FileMessage text={problem} isProblem />}
      {note !== undefined && <FileMessage text={note} isProblem={false} />}
      {status === "changed on disk" && <FileMessage text={strings.bothShown} isProblem={false} />}
      {opened !== undefined && (
        <FileMessage text={opened} isProblem={!ownEditor.result?.ok} onClose={closeOpened} />
      )}
      <div class="code-mirror" data-region ref={box} />
      {isTypeScript(path) && (
        <ProblemList
          problems={problems}
          failure={failure}
          onOpen={({ from }) => editor.current?.goTo(from)}
        />
      )}
    </div>
  );
}

const statusTexts: Readonly<Record<FileStatus, string>> = {
  saved: strings.saved,
  unsaved: strings.unsaved,
  "changed on disk": strings.changedOnDisk,
};
