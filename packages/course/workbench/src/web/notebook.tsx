import { getJson } from "@operator-path/ui/web";
import { useEffect, useRef } from "preact/hooks";
import type { NotebookPage } from "../protocol.ts";
import { happenedLines } from "./happened-lines.ts";
import { ScrollPre } from "./scroll-pre.tsx";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";

/** The learner's answers on all pages, beside what happened. It can be printed. */
export function Notebook() {
  const dialog = useRef<HTMLDialogElement>(null);
  const task = useTask((_: undefined) => getJson<readonly NotebookPage[]>("/api/notebook"));
  const pages = task.result;
  // A dialog that is modal keeps the focus, closes at Escape and gives the focus back.
  const open = (): void => {
    void task.start(undefined);
    dialog.current?.showModal();
  };
  useEffect(() => {
    // The window under the dialog is not printed.
    const print = (isPrinting: boolean) => () =>
      document.documentElement.classList.toggle("prints-notebook", isPrinting && dialog.current?.open);
    const [before, after] = [print(true), print(false)];
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  return (
    <>
      <button type="button" class="plain" onClick={open}>
        {strings.notebook}
      </button>
      <dialog ref={dialog} class="notebook" aria-label={strings.notebook}>
        <header>
          <h2>{strings.notebook}</h2>
          <span class="grow" />
          <button type="button" class="plain" onClick={() => print()}>
            {strings.print}
          </button>
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            {strings.closeReport}
          </button>
        </header>
        {task.problem !== undefined && <p class="problem">{task.problem}</p>}
        {pages?.length === 0 && <p class="note">{strings.noAnswers}</p>}
        {pages?.map(({ name, title, entries }) => (
          <section key={name}>
            <h3>{title}</h3>
            {entries.map((entry) => (
              <article key={entry.id}>
                <p class="eyebrow">{entry.step}</p>
                {/* The server renders it, and lets no tag of the page through. */}
                <div class="prose" dangerouslySetInnerHTML={{ __html: entry.html }} />
                <p class="answered">
                  {entry.answer === "" ? strings.skipped : `${strings.yourAnswer}: ${entry.answer}`}
                </p>
                {entry.happened.length > 0 && (
                  <>
                    <p class="note">{strings.happened}</p>
                    <ScrollPre class="code">{happenedLines(entry.happened)}</ScrollPre>
                  </>
                )}
              </article>
            ))}
          </section>
        ))}
      </dialog>
    </>
  );
}
