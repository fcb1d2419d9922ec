import { useLayoutEffect, useState } from "preact/hooks";
import type { CommandsLeft } from "../protocol.ts";
import { checkWork, finishStep } from "./actions.ts";
import { FaultMenu } from "./fault-menu.tsx";
import { Icon, StatusMark } from "./icons.tsx";
import { Notebook } from "./notebook.tsx";
import { PageMenu } from "./page-menu.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { switchTheme } from "./theme.ts";
import { useDismiss } from "./use-dismiss.ts";
import { useTask } from "./use-task.ts";
import { WithCode } from "./with-code.tsx";

/** The name of the page with the list of pages, what can be done on the whole page, and the theme. */
export function Header() {
  const { view } = useUi();
  const numbered = view.page.steps.filter(({ number }) => number > 0);
  const done = numbered.filter(({ slug }) => view.steps[slug] === "done").length;
  // The list was read when the window was opened.
  const pages = view.pages.map((page) =>
    page.name === view.page.name ? { ...page, steps: numbered.length, finished: done } : page,
  );
  return (
    <header class="top" data-region>
      <span class="brand">{strings.brand}</span>
      <PageMenu pages={pages} current={view.page.name} title={view.page.title} />
      <span class="top-progress">{strings.progress(done, numbered.length)}</span>
      <span class="grow" />
      <Notebook />
      <CheckButton />
      <FaultMenu />
      <button
        type="button"
        class="quiet square"
        aria-label={strings.theme}
        title={strings.theme}
        onClick={switchTheme}
      >
        <Icon name="theme" />
      </button>
    </header>
  );
}

function CheckButton() {
  const store = useStore();
  const { doing } = useUi();
  const [open, setOpen] = useState(false);
  const task = useTask(() => {
    setOpen(true);
    return checkWork(store);
  });
  const text = task.problem ?? task.result?.text;
  const { box, close } = useDismiss(open && text !== undefined, () => setOpen(false));
  // An answer about older files is no answer. One that is being read stays.
  useLayoutEffect(() => (open ? undefined : store.onFile(task.clear)), [store, open]);
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="plain check"
        aria-disabled={task.busy}
        onClick={() => task.start(undefined)}
      >
        {task.busy ? strings.checking : strings.checkStep}
      </button>
      <span class="check-mark">
        {task.busy && <StatusMark status="running" />}
        {!task.busy && text !== undefined && (
          <button
            type="button"
            class="quiet square"
            aria-expanded={open}
            aria-label={strings.lastCheck}
            title={strings.lastCheck}
            onClick={() => setOpen(!open)}
          >
            <StatusMark status={task.result?.ok ? "done" : "differs"} />
          </button>
        )}
      </span>
      {task.busy && doing !== "" && (
        <p class="menu-list menu-outcome note" role="status">
          {doing}…
        </p>
      )}
      {open && text !== undefined && (
        <div class={`menu-list menu-outcome ${task.result?.ok ? "ok" : "bad"}`} role="status">
          <pre class="outcome">
            <WithCode text={text} />
          </pre>
          {task.result?.left && <Left left={task.result.left} close={close} forget={task.clear} />}
        </div>
      )}
    </div>
  );
}

interface LeftProps {
  readonly left: CommandsLeft;
  close(): void;
  /** Called when the answer no longer holds. */
  forget(): void;
}

/** Commands that the page has not seen: the learner skipped them, or typed them. */
function Left({ left: { step, commands }, close, forget }: LeftProps) {
  const { view } = useUi();
  const title = view.page.steps.find(({ slug }) => slug === step)?.title ?? step;
  const task = useTask(async () => {
    await finishStep(step);
    close();
    forget();
  });
  return (
    <div class="commands-left">
      <p>{strings.commandsLeft(title, commands)}</p>
      <a class="plain" href={`#${encodeURIComponent(step)}`} onClick={close}>
        {strings.goTo(title)}
      </a>
      <button
        type="button"
        class="plain"
        aria-disabled={task.busy}
        onClick={() => void task.start(undefined)}
      >
        {strings.countStep}
      </button>
    </div>
  );
}
