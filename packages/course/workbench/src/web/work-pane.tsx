import { useEffect, useState } from "preact/hooks";
import { showTerminal } from "./actions.ts";
import { EditorPane } from "./editor-pane.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { TerminalView } from "./terminal-view.tsx";

/** Terminals and the editor, one at a time. All terminals stay alive. */
export function WorkPane() {
  const store = useStore();
  const { view, tab, unread } = useUi();
  // A terminal is drawn once it has been shown or has printed something.
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set(["main"]));
  useEffect(() => {
    const name = tab.startsWith("terminal:") ? tab.slice("terminal:".length) : undefined;
    if (name !== undefined && !drawn.has(name)) setDrawn(new Set([...drawn, name]));
  }, [tab, drawn]);
  return (
    <section class="work-pane" data-region aria-label={strings.terminals}>
      <div class="work-bar">
        <div class="work-tabs" role="tablist" aria-label={strings.terminals} onKeyDown={moveBetweenTabs}>
          {view.terminals.map((name, i) => (
            <button
              type="button"
              role="tab"
              class="work-tab"
              id={`tab-${name}`}
              key={name}
              aria-selected={tab === `terminal:${name}`}
              aria-controls={`terminal-${name}`}
              tabIndex={tab === `terminal:${name}` ? 0 : -1}
              data-first={tab === `terminal:${name}` ? "" : undefined}
              // A pointer means to type there. Keys go on among the tabs.
              onClick={({ detail }) => showTerminal(store, name, detail > 0)}
            >
              <span class="tab-number">{i + 1}</span> {name}
              {unread.has(name) && <span class="unread" />}
            </button>
          ))}
          <span class="grow" />
          <button
            type="button"
            role="tab"
            class="work-tab"
            id="tab-editor"
            aria-selected={tab === "editor"}
            aria-controls="editor"
            tabIndex={tab === "editor" ? 0 : -1}
            data-first={tab === "editor" ? "" : undefined}
            onClick={() => store.set({ tab: "editor" })}
          >
            {strings.editor}
          </button>
        </div>
        <p class="next-pane">
          <kbd>F6</kbd> {strings.nextPane}
        </p>
      </div>
      <div class="work">
        {view.terminals
          .filter((name) => drawn.has(name))
          .map((name) => (
            <TerminalView key={name} name={name} shown={tab === `terminal:${name}`} />
          ))}
        <div id="editor" role="tabpanel" aria-labelledby="tab-editor" class="panel" hidden={tab !== "editor"}>
          <EditorPane />
        </div>
      </div>
    </section>
  );
}

function moveBetweenTabs(event: KeyboardEvent): void {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const list = event.currentTarget as HTMLElement;
  const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.findIndex((tab) => tab.matches(":focus"));
  const next = tabs[(at + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
