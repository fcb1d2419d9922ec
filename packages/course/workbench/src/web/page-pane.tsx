import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Part, StepView } from "../page/page-view.ts";
import type { StepStatus, WorkbenchView } from "../protocol.ts";
import { finishStep, openPage } from "./actions.ts";
import { CatchUp } from "./catch-up.tsx";
import { CommandsBlock } from "./commands-block.tsx";
import { Diagram } from "./diagram.tsx";
import { showsSolution, solvedBy } from "./exercise-solution.ts";
import { FileBlock } from "./file-block.tsx";
import { Fold } from "./fold.tsx";
import { Icon, StatusMark } from "./icons.tsx";
import { Question } from "./question.tsx";
import { hasBegunEntry, openParts } from "./questions.ts";
import { useScrollPlace } from "./scroll-place.ts";
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
  useLayoutEffect(() => {
    const onHash = (): void => {
      const wanted = decodeURIComponent(location.hash.slice(1));
      if (!steps.some((one) => one.slug === wanted)) return;
      store.set({ step: wanted, pane: "page" });
      // The link may have been in the step that was shown before.
      article.current?.focus();
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, [steps, store]);
  useEffect(() => {
    history.replaceState(null, "", `#${encodeURIComponent(slug)}`);
  }, [slug]);
  useScrollPlace(article, `${view.page.name}#${slug}`);
  useLayoutEffect(() => {
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
          {step.number === 0 && <p class="callout">{strings.introductionNote}</p>}
          {view.aside !== undefined && step.slug === view.place && (
            <p class="callout">{strings.aside(view.aside)}</p>
          )}
          {/* The key: what a card said belongs to its step. */}
          <Parts key={step.slug} parts={step.parts} />
          <footer class="step-foot">
            {previous && (
              <button type="button" class="plain" onClick={() => go(previous)}>
                {strings.previous}
              </button>
            )}
            <span class="grow" />
            {hasActions(step.parts) && (
              <CatchUp key={step.slug} step={step.slug} isDone={view.steps[step.slug] === "done"} />
            )}
            {isBegun(step.parts, view.actions) && view.steps[step.slug] !== "done" && (
              <button type="button" class="quiet" onClick={() => void finishStep(step.slug)}>
                {strings.countThisStep}
              </button>
            )}
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
              <EndOfPage />
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

function isBegun(parts: readonly Part[], actions: WorkbenchView["actions"]): boolean {
  return parts.some(
    (part) =>
      (part.kind === "commands" && part.entries.some((_, i) => hasBegunEntry(part.id, i, actions))) ||
      (part.kind === "fold" && isBegun(part.parts, actions)),
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

/** Shows the parts of a step or fold. */
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const { view } = useUi();
  const open = openParts(parts, view.answers, view.actions);
  const firstCovered = open.parts.length - open.covered;
  return (
    <>
      {open.parts.map((part, i) => (
        <PartView key={i} part={part} hidden={i >= firstCovered} parts={parts} at={i} />
      ))}
      {open.hasMore && <p class="note hidden-text">{strings.hiddenText}</p>}
    </>
  );
}

/** Returns the name of a fold. Hints one after another belong to one exercise, and are numbered. */
function summaryOf(parts: readonly Part[], at: number): string {
  const part = parts[at];
  if (part?.kind !== "fold") return "";
  if (!isHint(part)) return part.summary;
  let first = at;
  let last = at;
  while (isHint(parts[first - 1])) first--;
  while (isHint(parts[last + 1])) last++;
  return strings.hintOf(at - first + 1, last - first + 1);
}

function isHint(part: Part | undefined): boolean {
  return part?.kind === "fold" && part.summary === "Hint";
}

interface PartViewProps {
  readonly part: Part;
  readonly hidden: boolean;
  /** The parts around it, with itself. */
  readonly parts: readonly Part[];
  readonly at: number;
}

function PartView({ part, hidden, parts, at }: PartViewProps) {
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
        <Fold summary={summaryOf(parts, at)} exercise={solvedBy(parts, at)}>
          <Parts parts={part.parts} />
        </Fold>
      );
    case "commands":
      return <CommandsBlock part={part} hidden={hidden} />;
    case "file":
      return <FileBlock part={part} showsSolution={showsSolution(parts, part)} />;
  }
}

/** Leads from the last step to the next page. */
function EndOfPage() {
  const { view } = useUi();
  const task = useTask(openPage);
  const next = view.pages[view.pages.findIndex(({ name }) => name === view.page.name) + 1];
  if (!next) return <p>{strings.finishPath}</p>;
  return (
    <>
      {task.problem !== undefined && <p class="problem">{task.problem}</p>}
      <button
        type="button"
        class="primary"
        aria-disabled={task.busy}
        onClick={() => void task.start(next.name)}
      >
        {strings.nextPage}: {next.title}
        <Icon name="chevron" />
      </button>
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
