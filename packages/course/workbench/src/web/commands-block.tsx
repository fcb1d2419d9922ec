import { useRef } from "preact/hooks";
import type { ActionState } from "../action-state.ts";
import type { CommandsPart, EntryView } from "../page/page-view.ts";
import { runEntry, showTerminal } from "./actions.ts";
import { Icon, StatusMark } from "./icons.tsx";
import { ScrollPre } from "./scroll-pre.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";

/** Commands of the page, each with a button that types it into its terminal. */
export function CommandsBlock({ part, hidden }: { readonly part: CommandsPart; readonly hidden: boolean }) {
  const store = useStore();
  return (
    <div class="block" data-block={part.id}>
      <div class="block-head">
        <button type="button" class="quiet terminal-name" onClick={() => showTerminal(store, part.terminal)}>
          {strings.terminal(part.terminal)}
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
    if (status === "done" && document.activeElement === button.current) nextButton(button.current)?.focus();
  });
  const label = entry.kind === "command" || entry.kind === "typed" ? entry.text : strings.press[entry.kind];
  return (
    <div class={`entry entry-${state.status.replace(" ", "-")}`}>
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
          aria-busy={state.status === "running"}
          onClick={() => state.status !== "running" && void task.start(undefined)}
        >
          <RunLabel entry={entry} status={state.status} />
        </button>
      </div>
      {task.problem !== undefined && <p class="problem">{task.problem}</p>}
      <Expected entry={entry} hidden={hidden} />
      {state.status === "differs" && <Difference state={state} />}
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

function Difference({ state }: { readonly state: ActionState }) {
  const { message, diff = [], explanation = [] } = state;
  return (
    <div class="difference" role="status">
      <p>{message}</p>
      {diff.length > 0 && (
        <>
          <p class="note">{strings.differsHint}</p>
          <ScrollPre class="diff">
            {diff.map(({ kind, text }, i) => (
              <span key={i} class={kind === "+" ? "added" : kind === "-" ? "removed" : ""}>
                {`${kind === "-" ? "−" : kind} ${text}\n`}
              </span>
            ))}
          </ScrollPre>
        </>
      )}
      {explanation.map(({ title, lines }) => (
        <details key={title}>
          <summary>{title}</summary>
          <ScrollPre class="lines">{lines.join("\n")}</ScrollPre>
        </details>
      ))}
    </div>
  );
}

/** Returns the button of the next command on the page. */
function nextButton(button: HTMLElement | null): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("[data-run]:not([disabled])")];
  return button === null ? undefined : all[all.indexOf(button) + 1];
}
