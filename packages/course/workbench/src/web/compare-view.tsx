import { getJson } from "@operator-path/ui/web";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Comparison } from "../protocol.ts";
import { FileMessage } from "./file-bar.tsx";
import type { EditorTab } from "./open-tabs.ts";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useIsWide } from "./use-is-wide.ts";

/** Room for two columns of code, in pixels. */
const leastForTwo = 1000;

/** Shows the learner's file beside the page's, or in one text with it where there is no room for both. */
export function CompareView({ tab }: { readonly tab: Extract<EditorTab, { kind: "compare" }> }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isSame, setIsSame] = useState(false);
  const isWide = useIsWide(box, leastForTwo);
  // The server compares the unsaved text, as soon as it has it.
  const unsaved = useUi().unsaved.get(tab.path);
  useEffect(() => {
    if (isWide === undefined) return undefined;
    let close: (() => void) | undefined;
    let current = true;
    const show = async (): Promise<void> => {
      const query = `id=${encodeURIComponent(tab.id)}&hash=${tab.hash}`;
      const [{ openComparison }, found] = await Promise.all([
        import("./code-editor.ts"),
        getJson<Comparison>(`/api/compare?${query}`),
      ]);
      if (!current || !box.current) return;
      setProblem(found.problem === undefined ? undefined : strings.noFit(found.problem));
      setIsSame(found.problem === undefined && found.mine === found.page);
      close?.();
      close = openComparison(box.current, {
        ...{ path: tab.path, mine: found.mine, page: found.page, isWide },
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
  }, [tab, store, isWide, unsaved]);
  return (
    <div class="file-editor">
      <div class="file-status">
        {isWide === false ? (
          <span>{strings.inOne}</span>
        ) : (
          <>
            <span class="column-title">{strings.mine}</span>
            <span class="column-title">{strings.thePages}</span>
          </>
        )}
      </div>
      {problem !== undefined && <FileMessage text={problem} isProblem />}
      {isSame && <FileMessage text={strings.same} isProblem={false} />}
      <div class="code-mirror" ref={box} />
    </div>
  );
}
