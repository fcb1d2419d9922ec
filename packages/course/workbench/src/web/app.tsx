import { Split } from "@operator-path/ui/web";
import { useLayoutEffect } from "preact/hooks";
import { ClusterPane } from "./cluster-pane.tsx";
import { FaultStrip } from "./fault-menu.tsx";
import { useFocusPlace } from "./focus-place.ts";
import { Header } from "./header.tsx";
import { PagePane } from "./page-pane.tsx";
import { type Pane, useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { WorkPane } from "./work-pane.tsx";

/**
 * The whole window: the page beside terminals, editor and cluster. On a narrow screen, the style sheet shows one
 * of them at a time. The elements stay the same, so nothing is lost when the width changes.
 */
export function App() {
  const { pane, tab, view } = useUi();
  useRegionKeys();
  useFocusPlace(view.page.name);
  return (
    <div class={`app shows-${pane}`}>
      <Header />
      <Disconnected />
      <FaultStrip />
      <main class="panes">
        <Split name="page" direction="row" initial={0.46} least={[340, 360]} label={strings.page}>
          <PagePane />
          <Split
            {...workSplit(tab === "editor")}
            direction="column"
            least={[160, 160]}
            label={strings.terminals}
          >
            <WorkPane />
            <ClusterPane />
          </Split>
        </Split>
      </main>
      <PaneTabs />
    </div>
  );
}

/** Code needs more lines than a terminal: at 1280 by 800 pixels, the editor shows 20. */
function workSplit(isEditor: boolean) {
  return isEditor ? { name: "editor", initial: 0.75 } : { name: "work", initial: 0.38 };
}

const panes: readonly { readonly pane: Pane; readonly label: string }[] = [
  { pane: "page", label: strings.page },
  { pane: "work", label: strings.work },
  { pane: "cluster", label: strings.cluster },
];

function PaneTabs() {
  const store = useStore();
  const { pane } = useUi();
  return (
    <nav class="pane-tabs" aria-label={strings.panes}>
      {panes.map((one) => (
        <button
          type="button"
          key={one.pane}
          class="pane-tab"
          aria-current={pane === one.pane ? "page" : undefined}
          onClick={() => store.set({ pane: one.pane })}
        >
          {one.label}
        </button>
      ))}
    </nav>
  );
}

function Disconnected() {
  const { connected } = useUi();
  return (
    <div role="status" class="disconnected" hidden={connected}>
      {connected ? "" : strings.disconnected}
    </div>
  );
}

/** F6 moves the focus from one region to the next, also out of a terminal, which takes Tab. */
function useRegionKeys(): void {
  useLayoutEffect(() => {
    let last: Element | undefined;
    // An object of the cluster that is deleted takes the focus with it. Its region is remembered here.
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element) last = target.closest("[data-region]") ?? target;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "F6") return;
      event.preventDefault();
      event.stopPropagation();
      const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
        (region) => region.offsetParent !== null,
      );
      // A region within another comes after it: a terminal or the editor after the tabs.
      const from = document.activeElement === document.body ? last : document.activeElement;
      const at = regions.findLastIndex((region) => region.contains(from ?? null));
      const step = event.shiftKey ? -1 : 1;
      // A region without anything to focus is passed: a list of no problems.
      for (let i = 1; i <= regions.length; i++) {
        const next = regions[(at + i * step + 2 * regions.length) % regions.length];
        const first =
          next?.querySelector<HTMLElement>("[data-first]") ??
          next?.querySelector<HTMLElement>("textarea, button:not([disabled])");
        first?.focus();
        if (first && document.activeElement === first) return;
      }
    };
    addEventListener("focusin", onFocus);
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("focusin", onFocus);
      removeEventListener("keydown", onKey, true);
    };
  }, []);
}
