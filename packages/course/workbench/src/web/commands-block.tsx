import { useEffect, useRef } from "preact/hooks";
import type { ActionState, Advice } from "../action-state.ts";
import type { CommandsPart, EntryView } from "../page/page-view.ts";
import { acceptEntry, runEntry, showTerminal } from "./actions.ts";
import { Icon, StatusMark } from "./icons.tsx";
import { ScrollPre } from "./scroll-pre.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";
import { WithCode } from "./with-code.tsx";

/** Commands of the page, each with a button that types it into its terminal. */
export function CommandsBlock({ part, hidden }: { readonly part: CommandsPart; readonly hidden: boolean }) {
  const store = useStore();
  const { view } = useUi();
  return (
    <div class="block" data-block={part.id}>
      <div class="block-head">
        <button type="button" class="quiet terminal-name" onClick={() => showTerminal(store, part.terminal)}>
          {strings.terminal(view.terminals.indexOf(part.terminal) + 1, part.terminal)}
        </button>
      </div>
      {part.entries.map((entry, i) => (
        <EntryRow key={i} part={part} index={i} entry={entry} hidden={hidden} />
      ))}
    </div>
  );
}

function EntryRow({
  part,
  index,
  entry,
  hidden,
}: {
  readonly part: CommandsPart;
  readonly index: number;
  readonly entry: EntryView;
  readonly hidden: boolean;
}) {
  const store = useStore();
  const { view } = useUi();
  const state: ActionState = view.actions[`${part.id}#${index}`] ?? { status: "to do" };
  const button = useRef<HTMLButtonElement>(null);
  const task = useTask(async () => {
    showTerminal(store, part.terminal);
    const { status } = await runEntry(part, index);
    // Enter runs one command after another, as long as the learner stays here.
    if (status === "done" && document.activeElement === button.current) goOn(button.current);
  });
  // Another command was running then, and may have ended since.
  const running = Object.values(view.actions).filter(({ status }) => status === "running").length;
  useEffect(() => {
    if (task.problem !== undefined) task.clear();
  }, [running]);
  const accept = async (): Promise<void> => {
    await acceptEntry(part, index);
    // The difference was removed, together with the button that had the focus.
    goOn(button.current);
  };
  const label = entry.kind === "command" || entry.kind === "typed" ? entry.text : strings.press[entry.kind];
  return (
    <div class={`entry entry-${state.status.replace(" ", "-")}`} tabIndex={-1}>
      <div class="entry-line">
        <span class="sigil" aria-hidden="true">
          {entry.kind === "command" ? "$" : ""}
        </span>
        <EntryText entry={entry} />
        <button
          ref={button}
          type="button"
          class="run"
          data-run
          aria-label={`${strings.runIn(part.terminal, label)}, ${strings.statuses[state.status]}`}
          disabled={hidden}
          title={state.status === "done" ? strings.runAgain : undefined}
          aria-busy={state.status === "running"}
          onClick={() => state.status !== "running" && void task.start(undefined)}
        >
          <RunLabel entry={entry} status={state.status} />
        </button>
      </div>
      {task.problem !== undefined && (
        <p class="problem">
          <WithCode text={task.problem} />
        </p>
      )}
      <Expected entry={entry} hidden={hidden} />
      {state.message !== undefined && state.status === "running" && (
        <p class="waits" role="status">
          {state.message}
        </p>
      )}
      {state.message !== undefined && state.status !== "running" && (
        <Difference state={state} accept={accept} />
      )}
    </div>
  );
}

function EntryText({ entry }: { readonly entry: EntryView }) {
  if (entry.kind === "output") return <span class="prints">{strings.prints}</span>;
  if (entry.kind === "interrupt" || entry.kind === "end-of-input")
    return <kbd class="typed">{strings.keys[entry.kind]}</kbd>;
  // The server has escaped it.
  return <code class="typed" dangerouslySetInnerHTML={{ __html: entry.html }} />;
}

function RunLabel({ entry, status }: { readonly entry: EntryView; readonly status: ActionState["status"] }) {
  if (status === "running" || status === "done") return <StatusMark status={status} />;
  const text = entry.kind === "command" || entry.kind === "typed" ? strings.run : strings.press[entry.kind];
  return (
    <>
      {status === "differs" ? <StatusMark status={status} /> : <Icon name="play" />}
      <span>{status === "differs" ? strings.runAgain : text}</span>
    </>
  );
}

function Expected({ entry, hidden }: { readonly entry: EntryView; readonly hidden: boolean }) {
  if (entry.expected === "" && entry.exitStatus === undefined) return null;
  if (hidden) return <p class="expected hidden-output">{strings.hidden}</p>;
  return (
    <ScrollPre class="expected">
      {entry.expected}
      {entry.exitStatus !== undefined && <span class="exit">{strings.exitStatus(entry.exitStatus)}</span>}
    </ScrollPre>
  );
}

interface DifferenceProps {
  readonly state: ActionState;
  accept(): Promise<unknown>;
}

/** What differs, and the ways to go on. A command that has passed before needs none. */
function Difference({ state, accept }: DifferenceProps) {
  const { status, message, diff = [], missing = [], explanation = [] } = state;
  // What is missing explains it. Other advice is a guess.
  const advice = missing.length === 0 ? state.advice : undefined;
  const task = useTask(accept);
  if (status === "done")
    return (
      <details class="difference passed">
        <summary>{strings.passedBefore}</summary>
        <DiffLines diff={diff} />
      </details>
    );
  return (
    <div class="difference" role="status">
      <p>
        <WithCode text={message ?? ""} />
      </p>
      {missing.map((one) => (
        <p class="advice" key={one}>
          <WithCode text={one} />
        </p>
      ))}
      {advice !== undefined && (
        <p class="advice">
          <AdviceText advice={advice} />
        </p>
      )}
      <DiffLines diff={diff} />
      {explanation.map(({ title, lines }) => (
        <details key={title}>
          <summary>{title}</summary>
          <ScrollPre class="lines">{lines.join("\n")}</ScrollPre>
        </details>
      ))}
      <p class="ways">
        {strings.waysBack}{" "}
        <button
          type="button"
          class="plain"
          aria-disabled={task.busy}
          onClick={() => void task.start(undefined)}
        >
          {strings.goOn}
        </button>
      </p>
      {task.problem !== undefined && <p class="problem">{task.problem}</p>}
    </div>
  );
}

/** What to do. The name of another step leads there. */
function AdviceText({ advice: { text, step } }: { readonly advice: Advice }) {
  const at = step === undefined ? -1 : text.lastIndexOf(`"${step.title}"`);
  if (step === undefined || at === -1) return <WithCode text={text} />;
  return (
    <>
      <WithCode text={text.slice(0, at)} />
      <a href={`#${encodeURIComponent(step.slug)}`}>{step.title}</a>
      <WithCode text={text.slice(at + step.title.length + 2)} />
    </>
  );
}

function DiffLines({ diff }: { readonly diff: NonNullable<ActionState["diff"]> }) {
  if (diff.length === 0) return null;
  return (
    <>
      <p class="note">{strings.differsNote}</p>
      <ScrollPre class="diff">
        {diff.map(({ kind, text }, i) => (
          <span key={i} class={kind === "+" ? "added" : kind === "-" ? "removed" : ""}>
            {`${kind === "-" ? "−" : kind} ${text}\n`}
          </span>
        ))}
      </ScrollPre>
    </>
  );
}

/**
 * Focuses the button of the next command. One that is out of sight would scroll the page past what is to be read
 * before it, such as an exercise. The row has the focus then: Enter repeats nothing, and Tab goes on from here.
 */
function goOn(button: HTMLElement | null): void {
  if (button === null) return;
  const all = [...document.querySelectorAll<HTMLElement>("[data-run]:not([disabled])")].filter(
    // Those of closed hints cannot take the focus.
    (one) => one === button || one.checkVisibility(),
  );
  const next = all[all.indexOf(button) + 1];
  const isNear = next && (next.closest("[data-block]") === button.closest("[data-block]") || isInSight(next));
  const target = isNear ? next : button.closest<HTMLElement>(".entry");
  target?.focus({ preventScroll: !isNear });
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const page = element.closest(".page-scroll")?.getBoundingClientRect();
  return page !== undefined && top >= page.top && bottom <= page.bottom;
}
