import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PageSummary } from "../protocol.ts";
import { openPage } from "./actions.ts";
import { Icon } from "./icons.tsx";
import { strings } from "./strings.ts";
import { useDismiss } from "./use-dismiss.ts";
import { useTask } from "./use-task.ts";

interface PageMenuProps {
  readonly pages: readonly PageSummary[];
  readonly current: string;
  readonly title: string;
}

/** The list of pages. Its keys are those of a menu button of the ARIA Authoring Practices. */
export function PageMenu({ pages, current, title }: PageMenuProps) {
  // Where the focus begins: at the current page or the last one.
  const [open, setOpen] = useState<"current" | "last">();
  const task = useTask(openPage);
  const list = useRef<HTMLDivElement>(null);
  const { box, close } = useDismiss(open !== undefined, () => setOpen(undefined));
  const items = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
  ];
  useLayoutEffect(() => {
    if (open === undefined) return;
    const all = items();
    const isCurrent = (item: HTMLElement): boolean => item.hasAttribute("aria-current");
    (open === "last" ? all.at(-1) : (all.find(isCurrent) ?? all[0]))?.focus();
  }, [open]);
  const onButtonKey = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(event.key === "ArrowUp" ? "last" : "current");
  };
  const onMenuKey = (event: KeyboardEvent): void => {
    // Tab goes on from the button.
    if (event.key === "Tab") close();
    const all = items();
    const at = all.findIndex((item) => item.matches(":focus"));
    const to = targetOf(event.key, at, all.length);
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="quiet page-menu"
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        aria-label={`${strings.pageList}: ${title}`}
        onKeyDown={onButtonKey}
        onClick={() => setOpen(open === undefined ? "current" : undefined)}
      >
        <span class="page-title">{title}</span>
        <Icon name="down" />
      </button>
      {open !== undefined && (
        <div class="menu-list pages">
          <div ref={list} role="menu" tabIndex={-1} aria-label={strings.pages} onKeyDown={onMenuKey}>
            {pages.map((page, i) => (
              <button
                key={page.name}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={beginsTutorial(pages, i) ? "menu-item page-item first" : "menu-item page-item"}
                aria-current={page.name === current ? "page" : undefined}
                aria-disabled={task.busy}
                onClick={() => (page.name === current ? close() : task.start(page.name))}
              >
                <span>{page.title}</span>
                <Progress done={page.finished} of={page.steps} />
              </button>
            ))}
          </div>
          {task.problem !== undefined && (
            <p class="problem" role="alert">
              {task.problem}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Reports whether a page is the first of a tutorial that follows another one. */
function beginsTutorial(pages: readonly PageSummary[], at: number): boolean {
  const tutorialOf = (page: PageSummary | undefined) => page?.name.split("/")[0];
  return at > 0 && tutorialOf(pages[at]) !== tutorialOf(pages[at - 1]);
}

/** Returns the item to which a key moves the focus. Undefined: the key does not move it. */
function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

function Progress({ done, of }: { readonly done: number; readonly of: number }) {
  const label = strings.progress(done, of);
  return (
    <span class="page-progress" role="img" aria-label={label} title={label}>
      <span>{strings.share(done, of)}</span>
      <span class="meter">
        <span style={{ width: `${of === 0 ? 0 : (100 * done) / of}%` }} />
      </span>
    </span>
  );
}
