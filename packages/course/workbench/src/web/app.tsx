import { useEffect } from "preact/hooks";
import { ClusterPane } from "./cluster-pane.tsx";
import { Header } from "./header.tsx";
import { PagePane } from "./page-pane.tsx";
import { Split } from "./split.tsx";
import { type Pane, useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useNarrow } from "./use-narrow.ts";
import { WorkPane } from "./work-pane.tsx";

/** The whole window: the page beside terminals, editor and cluster, or one of them on a narrow screen. */
export function App() {
  const narrow = useNarrow();
  useRegionKeys();
  return (
    <div class={narrow ? "app narrow" : "app"}>
      <Header />
      {narrow ? <NarrowPanes /> : <WidePanes />}
      <Disconnected />
    </div>
  );
}

function WidePanes() {
  return (
    <Split name="page" direction="row" initial={0.46} least={[340, 360]} label={strings.page}>
      <PagePane />
      <Split name="work" direction="column" initial={0.44} least={[160, 160]} label={strings.terminals}>
        <WorkPane />
        <ClusterPane />
      </Split>
    </Split>
  );
}

const panes: readonly { readonly pane: Pane; readonly label: string }[] = [
  { pane: "page", label: strings.page },
  { pane: "work", label: strings.terminals },
  { pane: "cluster", label: strings.cluster },
];

function NarrowPanes() {
  const store = useStore();
  const { pane } = useUi();
  return (
    <>
      <main class="one-pane">
        <div hidden={pane !== "page"}>
          <PagePane />
        </div>
        <div hidden={pane !== "work"}>
          <WorkPane />
        </div>
        <div hidden={pane !== "cluster"}>
          <ClusterPane />
        </div>
      </main>
      <nav class="pane-tabs" aria-label={strings.page}>
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
    </>
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
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "F6") return;
      event.preventDefault();
      event.stopPropagation();
      const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
        (region) => region.offsetParent !== null,
      );
      const at = regions.findIndex((region) => region.contains(document.activeElement));
      const next = regions[(at + (event.shiftKey ? -1 : 1) + regions.length) % regions.length];
      const first = next?.querySelector<HTMLElement>("[data-first], textarea, button:not([disabled])");
      (first ?? next)?.focus();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, []);
}
