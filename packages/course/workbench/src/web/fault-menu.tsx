import { useEffect, useState } from "preact/hooks";
import type { FaultView } from "../protocol.ts";
import { causeFault, endFault, readFaults } from "./actions.ts";
import { Icon } from "./icons.tsx";
import { useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useDismiss } from "./use-dismiss.ts";
import { useTask } from "./use-task.ts";

/** The faults that the learner may cause. What follows is shown below the header: the menu covers the cluster. */
export function FaultMenu() {
  const [open, setOpen] = useState(false);
  const list = useFaults(open);
  const task = useTask(async (what: { name: string; choice?: string }) => {
    const outcome = await causeFault(what.name, what.choice);
    if (outcome.ok) close();
    return outcome;
  });
  const { box, close } = useDismiss(open, () => setOpen(false));
  function toggle(): void {
    task.clear();
    setOpen(!open);
  }
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="plain"
        title={strings.faults}
        aria-expanded={open}
        data-faults
        onClick={toggle}
      >
        <Icon name="bolt" />
        <span class="wide-only">{strings.faults}</span>
        <span class="narrow-only sr">{strings.faults}</span>
      </button>
      {open && (
        <ul class="menu-list faults">
          {list.faults.map((fault) => (
            <FaultItem key={fault.name} fault={fault} busy={task.busy} onCause={task.start} />
          ))}
          <li role="status" class="fault-result">
            {list.problem ?? task.problem ?? task.result?.text ?? ""}
          </li>
        </ul>
      )}
    </div>
  );
}

/** Milliseconds between two looks at what can be caused: an operator may start or end while the menu is open. */
const pace = 1000;

/** Returns the faults, and why they are unknown. Up to date while the menu is open. */
function useFaults(open: boolean) {
  const [state, setState] = useState<{ faults: readonly FaultView[]; problem?: string }>({ faults: [] });
  useEffect(() => {
    if (!open) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const look = async (): Promise<void> => {
      try {
        const faults = await readFaults();
        if (isOpen) setState({ faults });
      } catch (error) {
        if (isOpen) setState(({ faults }) => ({ faults, problem: String(error) }));
      }
      if (isOpen) timer = setTimeout(look, pace);
    };
    void look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [open]);
  return state;
}

interface FaultItemProps {
  readonly fault: FaultView;
  readonly busy: boolean;
  onCause(what: { name: string; choice?: string }): void;
}

function FaultItem({ fault, busy, onCause }: FaultItemProps) {
  const { name, title, description, unavailable, choices } = fault;
  return (
    <li class="fault">
      <button
        type="button"
        class="menu-item"
        disabled={unavailable !== undefined}
        aria-disabled={busy}
        onClick={() => onCause({ name })}
      >
        <strong>{title}</strong>
        <small>{unavailable ?? description}</small>
      </button>
      {choices.length > 0 && (
        <p class="fault-choices">
          <span>{strings.onlyThis}</span>
          {choices.map((choice) => (
            <button
              type="button"
              key={choice}
              class="choice"
              aria-disabled={busy}
              onClick={() => onCause({ name, choice })}
            >
              {choice}
            </button>
          ))}
        </p>
      )}
    </li>
  );
}

/** What has happened since the learner caused a fault, until they put it away. */
export function FaultStrip() {
  const { fault } = useUi().view;
  const end = useTask(async () => {
    // The report goes away with its button.
    const isLast = fault?.lasts === false;
    await endFault(undefined);
    if (isLast) document.querySelector<HTMLElement>("[data-faults]")?.focus();
  });
  return (
    <aside class={fault ? "fault-strip shown" : "fault-strip"} data-region aria-label={strings.faults}>
      {fault && (
        <button type="button" class="plain" aria-disabled={end.busy} onClick={() => end.start(undefined)}>
          {fault.lasts ? strings.allowAgain : strings.closeReport}
        </button>
      )}
      <div role="status" class="fault-report">
        {fault && (
          <>
            <p>
              <strong>{fault.title}.</strong> {fault.text}
            </p>
            {fault.seen.length > 0 && (
              <ul>
                {fault.seen.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
            {end.problem !== undefined && <p class="problem">{end.problem}</p>}
          </>
        )}
      </div>
    </aside>
  );
}
