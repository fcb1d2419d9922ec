import type { ExerciseAction } from "../course.ts";
import type { FilePart } from "../page/page-view.ts";
import { applyBlock, doExercise, showTab } from "./actions.ts";
import { StatusMark } from "./icons.tsx";
import { ScrollPre } from "./scroll-pre.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";
import { WithCode } from "./with-code.tsx";

interface FileBlockProps {
  readonly part: FilePart;
  /** Whether the page shows the solution of this exercise below it, and offers to write it there. */
  readonly showsSolution: boolean;
}

/** A file of the page: to write, to edit, to read or as an exercise. */
export function FileBlock({ part, showsSolution }: FileBlockProps) {
  const store = useStore();
  const { view } = useUi();
  const { action, file } = part;
  const status = view.actions[`${part.id}#0`]?.status ?? "to do";
  const task = useTask(async () => {
    const outcome = await applyBlock(part);
    showTab(store, { kind: "file", path: file });
    return outcome;
  });
  const isMine = action !== "tree" && view.files.includes(file);
  return (
    <div class="block file-block" data-block={part.id}>
      <div class="block-head">
        {action !== "quotation" && action !== "tree" && <StatusMark status={status} />}
        <span class="file-name">{file}</span>
        <span class="file-action">{strings.actions[action]}</span>
        <span class="grow" />
        {isMine && (
          <button type="button" class="quiet" onClick={() => showTab(store, { kind: "file", path: file })}>
            {strings.openFile}
          </button>
        )}
        {isMine && action !== "quotation" && action !== "exercise" && (
          <button
            type="button"
            class="quiet"
            onClick={() => showTab(store, { kind: "compare", path: file, id: part.id, hash: part.hash })}
          >
            {strings.beside}
          </button>
        )}
        {(action === "write" || action === "edit") && (
          <button
            type="button"
            class={status === "done" ? "plain" : "run"}
            data-run
            aria-label={`${action === "write" ? strings.write : strings.apply}: ${file}`}
            aria-disabled={task.busy}
            onClick={() => void task.start(undefined)}
          >
            {action === "write" ? strings.write : strings.apply}
          </button>
        )}
      </div>
      {(task.problem ?? task.result?.text) !== undefined && (
        <p class={task.problem === undefined ? "note" : "problem"} role="status">
          {task.problem ?? task.result?.text}
        </p>
      )}
      <ScrollPre class="code">
        {/* The server has escaped it. */}
        <code dangerouslySetInnerHTML={{ __html: part.html }} />
      </ScrollPre>
      {action === "exercise" && <Exercise part={part} showsSolution={showsSolution} />}
    </div>
  );
}

function Exercise({ part, showsSolution }: FileBlockProps) {
  const store = useStore();
  const { view, doing } = useUi();
  const hasBegun = view.files.includes(part.file);
  const task = useTask(async (action: ExerciseAction) => {
    const outcome = await doExercise(store, part, action);
    if (action === "begin" || action === "solution") showTab(store, { kind: "file", path: part.file });
    return { ...outcome, action };
  });
  const buttons: readonly { action: ExerciseAction; label: string; style: string }[] = [
    { action: "begin", label: strings.begin, style: hasBegun ? "plain" : "primary" },
    { action: "check", label: strings.check, style: hasBegun ? "primary" : "plain" },
    ...(showsSolution ? [] : [{ action: "solution", label: strings.solution, style: "quiet" } as const]),
  ];
  // The server remembers what the last check said, also while other steps are shown.
  const last = view.actions[`${part.id}#0`];
  const said = task.busy ? undefined : last?.message;
  const text = task.problem ?? task.result?.text ?? said;
  return (
    <div class="exercise">
      <details>
        <summary>{strings.exerciseTests}</summary>
        <ul>
          {part.tests.map((test) => (
            <li key={test}>{test}</li>
          ))}
        </ul>
      </details>
      <div class="buttons">
        {buttons.map(({ action, label, style }) => (
          <button
            type="button"
            key={action}
            class={style}
            aria-disabled={task.busy}
            onClick={() => void task.start(action)}
          >
            {label}
          </button>
        ))}
        {task.busy && <StatusMark status="running" />}
        {task.busy && doing !== "" && (
          <span class="note" role="status">
            {doing}…
          </span>
        )}
      </div>
      {text !== undefined && (
        <pre role="status" class={`outcome ${toneOf(task.result)}`}>
          <WithCode text={text} />
        </pre>
      )}
    </div>
  );
}

/** Only a check has passed or not. */
function toneOf(result: { readonly ok: boolean; readonly action: ExerciseAction } | undefined): string {
  if (!result?.ok) return "bad";
  return result.action === "check" ? "ok" : "";
}
