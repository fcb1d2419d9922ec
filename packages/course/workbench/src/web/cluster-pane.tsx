import { ClusterView } from "@operator-path/ui/web";
import { useRef, useState } from "preact/hooks";
import { askedNow } from "./questions.ts";
import { useUi } from "./store.ts";
import { strings } from "./strings.ts";

/** The cluster of the page, as it changes. A question covers it, because the learner is to predict what it shows. */
export function ClusterPane() {
  const { view, step } = useUi();
  const pane = useRef<HTMLElement>(null);
  const [uncovered, setUncovered] = useState<string>();
  const { parts = [] } = view.page.steps.find(({ slug }) => slug === step) ?? {};
  const question = askedNow(parts, view.answers, view.actions);
  const isCovered = question !== undefined && question !== uncovered;
  const uncover = (): void => {
    setUncovered(question);
    // The button, which has the focus, goes away.
    pane.current?.focus();
  };
  return (
    <section ref={pane} class="cluster-pane" data-region tabIndex={-1} aria-label={strings.cluster}>
      {isCovered && (
        <div class="cover">
          <p>{strings.covered}</p>
          <button type="button" class="plain" onClick={uncover}>
            {strings.uncover}
          </button>
        </div>
      )}
      <div class={isCovered ? "covered" : "uncovered"} inert={isCovered}>
        <ClusterView isPane />
      </div>
    </section>
  );
}
