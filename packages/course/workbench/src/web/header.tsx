import { useEffect, useRef, useState } from "preact/hooks";
import type { PageSummary } from "../protocol.ts";
import { causeFault, checkWork, openPage } from "./actions.ts";
import { Icon } from "./icons.tsx";
import { useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { switchTheme } from "./theme.ts";
import { useTask } from "./use-task.ts";

/** The name of the page with the list of pages, what can be done on the whole page, and the theme. */
export function Header() {
  const { view } = useUi();
  const numbered = view.page.steps.filter(({ number }) => number > 0);
  const done = numbered.filter(({ slug }) => view.steps[slug] === "done").length;
  return (
    <header class="top">
      <span class="brand">{strings.brand}</span>
      <PageMenu pages={view.pages} current={view.page.name} title={view.page.title} />
      <span class="top-progress">{strings.progress(done, numbered.length)}</span>
      <span class="grow" />
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

function PageMenu({
  pages,
  current,
  title,
}: {
  readonly pages: readonly PageSummary[];
  readonly current: string;
  readonly title: string;
}) {
  const [open, setOpen] = useState(false);
  const task = useTask(openPage);
  const box = useDismiss(open, () => setOpen(false));
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="quiet page-menu"
        aria-expanded={open}
        aria-label={`${strings.pageList}: ${title}`}
        onClick={() => setOpen(!open)}
      >
        <span class="page-title">{title}</span>
        <Icon name="down" />
      </button>
      {open && (
        <ul class="menu-list pages">
          {pages.map((page) => (
            <li key={page.name}>
              <button
                type="button"
                class="menu-item page-item"
                aria-current={page.name === current ? "page" : undefined}
                disabled={task.busy}
                onClick={() => (page.name === current ? setOpen(false) : task.start(page.name))}
              >
                <span class="page-name">{page.name}</span>
                <span>{page.title}</span>
                <Progress done={page.finished} of={page.steps} />
              </button>
            </li>
          ))}
          {task.problem !== undefined && <li class="problem">{task.problem}</li>}
        </ul>
      )}
    </div>
  );
}

function Progress({ done, of }: { readonly done: number; readonly of: number }) {
  const label = strings.progress(done, of);
  return (
    <span class="meter" role="img" aria-label={label} title={label}>
      <span style={{ width: `${of === 0 ? 0 : (100 * done) / of}%` }} />
    </span>
  );
}

function CheckButton() {
  const task = useTask(checkWork);
  const text = task.problem ?? task.result?.text;
  const box = useDismiss(text !== undefined, task.clear);
  return (
    <div class="menu" ref={box}>
      <button type="button" class="plain" disabled={task.busy} onClick={() => task.start(undefined)}>
        {strings.checkStep}
      </button>
      {text !== undefined && (
        <div class={`menu-list menu-outcome ${task.result?.ok ? "ok" : "bad"}`} role="status">
          <pre class="outcome">{text}</pre>
        </div>
      )}
    </div>
  );
}

function FaultMenu() {
  const { view } = useUi();
  const [open, setOpen] = useState(false);
  const task = useTask(causeFault);
  const box = useDismiss(open, () => setOpen(false));
  return (
    <div class="menu" ref={box}>
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="bolt" />
        <span class="wide-only">{strings.faults}</span>
        <span class="narrow-only sr">{strings.faults}</span>
      </button>
      {open && (
        <ul class="menu-list">
          {view.faults.map(({ name, title, description }) => (
            <li key={name}>
              <button type="button" class="menu-item" disabled={task.busy} onClick={() => task.start(name)}>
                <strong>{title}</strong>
                <small>{description}</small>
              </button>
            </li>
          ))}
          <li role="status" class="fault-result">
            {task.problem ?? task.result?.text ?? ""}
          </li>
        </ul>
      )}
    </div>
  );
}

/** Closes a menu at Escape and at a click elsewhere. Returns the reference of its box. */
function useDismiss(open: boolean, close: () => void) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      close();
      box.current?.querySelector("button")?.focus();
    };
    const onClick = (event: MouseEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close();
    };
    addEventListener("keydown", onKey);
    addEventListener("click", onClick);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("click", onClick);
    };
  }, [open, close]);
  return box;
}
