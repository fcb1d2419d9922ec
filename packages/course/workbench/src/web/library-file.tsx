import { getJson } from "@operator-path/ui/web";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CodeEditor } from "./code-editor.ts";
import { FileBar, FileMessage } from "./file-bar.tsx";
import type { LanguageClient } from "./language-client.ts";
import type { EditorTab } from "./open-tabs.ts";
import { strings } from "./strings.ts";

/** Shows a file of a package, where a definition is. */
export function LibraryFile({ tab, language }: LibraryFileProps) {
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let current = true;
    let editor: CodeEditor | undefined;
    void (async () => {
      const [{ openCodeEditor }, { text }, client] = await Promise.all([
        import("./code-editor.ts"),
        getJson<{ text: string }>(`/api/library?id=${tab.id}`),
        language(),
      ]);
      if (!current || !box.current) return;
      editor = openCodeEditor(box.current, {
        ...{ path: tab.path, text, readOnly: true, language: client.extensionsForLibrary(tab) },
        onChange: () => {},
        onSave: () => {},
      });
    })().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    return () => {
      current = false;
      editor?.close();
    };
  }, [tab.id]);
  return (
    <div class="file-editor">
      <FileBar path={tab.path} state={strings.libraryFile} />
      {problem !== undefined && <FileMessage text={problem} isProblem />}
      <div class="code-mirror" data-region ref={box} />
    </div>
  );
}

interface LibraryFileProps {
  readonly tab: Extract<EditorTab, { kind: "library" }>;
  language(): Promise<LanguageClient>;
}
