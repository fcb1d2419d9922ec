import { useEffect, useRef } from "preact/hooks";
import type { Part, StepView } from "../page/page-view.ts";
import type { StepStatus } from "../protocol.ts";
import { catchUp, finishStep, openPage } from "./actions.ts";
import { CommandsBlock } from "./commands-block.tsx";
import { Diagram } from "./diagram.tsx";
import { FileBlock } from "./file-block.tsx";
import { Icon, StatusMark } from "./icons.tsx";
import { Question } from "./question.tsx";
import { ScrollPre } from "./scroll-pre.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";

/** The page, one step at a time. */
export function PagePane() {
  const store = useStore();
  const { view, step: slug } = useUi();
  const { steps } = view.page;
  const at = Math.max(
    0,
    steps.findIndex((one) => one.slug === slug),
  );
  const step = steps[at];
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const onHash = (): void => {
      const wanted = decodeURIComponent(location.hash.slice(1));
      if (steps.some((one) => one.slug === wanted)) store.set({ step: wanted, pane: "page" });
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, [steps, store]);
  useEffect(() => {
    history.replaceState(null, "", `#${encodeURIComponent(slug)}`);
    article.current?.parentElement?.scrollTo(0, 0);
  }, [slug]);
  useEffect(() => {
    // Enter on a link is a click, too.
    const { current } = article;
    current?.addEventListener("click", followPageLink);
    return () => current?.removeEventListener("click", followPageLink);
  }, []);
  if (!step) return null;
  const previous = steps[at - 1];
  const next = steps[at + 1];
  const go = (to: StepView): void => {
    store.set({ step: to.slug });
    article.current?.focus();
  };
  const leave = (to: StepView): void => {
    if (!hasActions(step.parts) && view.steps[step.slug] !== "done") void finishStep(step.slug);
    go(to);
  };
  return (
    <section class="page-pane" data-region aria-label={strings.page}>
      <StepRail steps={steps} current={step.slug} statuses={view.steps} onGo={go} />
      <div class="page-scroll">
        <article ref={article} tabIndex={-1} data-first>
          <StepHead step={step} of={steps.length - 1} status={view.steps[step.slug] ?? "to do"} />
          <Parts parts={step.parts} />
          <footer class="step-foot">
            {previous && (
              <button type="button" class="plain" onClick={() => go(previous)}>
                {strings.previous}
              </button>
            )}
            <span class="grow" />
            {hasActions(step.parts) && view.steps[step.slug] !== "done" && <CatchUp step={step.slug} />}
            {next ? (
              <button
                type="button"
                class={view.steps[step.slug] === "done" || !hasActions(step.parts) ? "primary" : "plain"}
                onClick={() => leave(next)}
              >
                {strings.next}: {next.title}
                <Icon name="chevron" />
              </button>
            ) : (
              <p>{strings.finishPage}</p>
            )}
          </footer>
        </article>
      </div>
    </section>
  );
}

function hasActions(parts: readonly Part[]): boolean {
  return parts.some(
    (part) =>
      part.kind === "commands" ||
      (part.kind === "file" && part.action !== "quotation" && part.action !== "tree") ||
      (part.kind === "fold" && hasActions(part.parts)),
  );
}

function StepHead({
  step,
  of,
  status,
}: {
  readonly step: StepView;
  readonly of: number;
  readonly status: StepStatus;
}) {
  return (
    <div class="step-head">
      <p class="eyebrow">
        {step.number === 0 ? strings.introduction : strings.stepOf(step.number, of)}
        <span class={`status status-${status.replace(" ", "-")}`}>
          <StatusMark status={status} />
          {strings.statuses[status]}
        </span>
      </p>
      <h1>{step.title}</h1>
    </div>
  );
}

function StepRail({
  steps,
  current,
  statuses,
  onGo,
}: {
  readonly steps: readonly StepView[];
  readonly current: string;
  readonly statuses: Readonly<Record<string, StepStatus>>;
  onGo(step: StepView): void;
}) {
  return (
    <nav class="rail" aria-label={strings.pages}>
      {steps.map((step) => {
        const status = statuses[step.slug] ?? "to do";
        return (
          <button
            type="button"
            key={step.slug}
            class={`rail-step rail-${status.replace(" ", "-")}`}
            aria-current={step.slug === current ? "step" : undefined}
            aria-label={`${step.title}, ${strings.statuses[status]}`}
            title={step.title}
            onClick={() => onGo(step)}
          />
        );
      })}
    </nav>
  );
}

/** Shows the parts of a step or fold. A question hides what the next commands print. */
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const { view } = useUi();
  let asks: string | undefined;
  return (
    <>
      {parts.map((part, i) => {
        const question = asks;
        asks = part.kind === "text" ? part.question : undefined;
        const hidden = question !== undefined && view.answers[question] === undefined;
        return <PartView key={i} part={part} hidden={hidden} />;
      })}
    </>
  );
}

function PartView({ part, hidden }: { readonly part: Part; readonly hidden: boolean }) {
  switch (part.kind) {
    case "text":
      return (
        <>
          {/* The server renders it, and lets no tag of the page through. */}
          <div class="prose" dangerouslySetInnerHTML={{ __html: part.html }} />
          {part.question !== undefined && <Question id={part.question} />}
        </>
      );
    case "code":
      return (
        <ScrollPre class="code">
          {/* The server has escaped it. */}
          <code dangerouslySetInnerHTML={{ __html: part.html }} />
        </ScrollPre>
      );
    case "diagram":
      return <Diagram source={part.source} />;
    case "fold":
      return (
        <details class="fold">
          <summary>{part.summary}</summary>
          <Parts parts={part.parts} />
        </details>
      );
    case "commands":
      return <CommandsBlock part={part} hidden={hidden} />;
    case "file":
      return <FileBlock part={part} />;
  }
}

function CatchUp({ step }: { readonly step: string }) {
  const task = useTask(catchUp);
  const text = task.problem ?? task.result?.text;
  const start = (): void => {
    if (confirm(strings.catchUpQuestion)) void task.start(step);
  };
  return (
    <>
      <button type="button" class="quiet" disabled={task.busy} onClick={start}>
        {task.busy ? strings.running : strings.catchUp}
      </button>
      {text !== undefined && (
        <pre role="status" class="outcome">
          {text}
        </pre>
      )}
    </>
  );
}

/** A link of the page to another page opens it in the workbench. */
function followPageLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[data-page]") : undefined;
  const page = link instanceof HTMLElement ? link.dataset.page : undefined;
  if (page === undefined) return;
  event.preventDefault();
  void openPage(page);
}
