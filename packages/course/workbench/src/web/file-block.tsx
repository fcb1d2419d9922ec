import type { ActionState } from "../action-state.ts";
import type { ExerciseAction } from "../course.ts";
import type { FilePart } from "../page/page-view.ts";
import { applyBlock, doExercise, showTab } from "./actions.ts";
import { StatusMark } from "./icons.tsx";
import { ScrollPre } from "./scroll-pre.tsx";
import { SolutionButton } from "./solution-button.tsx";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";
import { TestResults } from "./test-results.tsx";
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
    showTab(store, { kind: "file", path: file }, outcome.line);
    return outcome;
  });
  const isMine = action !== "tree" && view.files.includes(file);
  const replaces = action === "write" && isMine && status !== "done";
  return (
    <div class="block file-block" data-block={part.id}>
      <div class="block-head">
        {action !== "quotation" && action !== "tree" && <StatusMark status={status} />}
        <span class="file-name">{file}</span>
        <span class="file-action">{replaces ? strings.wholeFile : strings.actions[action]}</span>
        <span class="grow" />
        {/* One button, which keeps the focus when its label changes. */}
        {(isMine ? action !== "exercise" : action === "write") && (
          <button type="button" class="quiet" onClick={() => showTab(store, { kind: "file", path: file })}>
            {isMine ? strings.openFile : strings.typeIt}
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
  const { view, doing, tab, openTab } = useUi();
  // The server remembers what the last check said, also while other steps are shown.
  const last = view.actions[`${part.id}#0`];
  const hasBegun = view.files.includes(part.file) && last !== undefined;
  // A cursor stays where it is.
  const isShown = tab === "editor" && openTab?.kind === "file" && openTab.path === part.file;
  const showFile = (line: number | undefined): void =>
    showTab(store, { kind: "file", path: part.file }, line);
  const task = useTask(async (action: ExerciseAction) => {
    const outcome = await doExercise(store, part, action);
    if (action === "begin" || action === "solution") showFile(outcome.line);
    return { ...outcome, action };
  });
  const remembered = { text: last?.message ?? (last?.tests && ""), tests: last?.tests };
  const said = task.result ?? (task.busy ? undefined : remembered);
  const text = task.problem ?? said?.text;
  const tests = task.problem === undefined ? said?.tests : undefined;
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
        {/* One button, which keeps the focus when its label changes. */}
        <button
          type="button"
          class={hasBegun ? "plain" : "primary"}
          aria-disabled={task.busy}
          onClick={() => (hasBegun ? showFile(isShown ? undefined : last.line) : void task.start("begin"))}
        >
          {hasBegun ? strings.openFile : strings.begin}
        </button>
        <button
          type="button"
          class={hasBegun && last.status !== "done" ? "primary" : "plain"}
          aria-disabled={task.busy}
          onClick={() => void task.start("check")}
        >
          {strings.check}
        </button>
        {!showsSolution && (
          <SolutionButton
            file={part.file}
            label={strings.solution}
            class="quiet"
            busy={task.busy}
            onConfirm={() => void task.start("solution")}
          />
        )}
        {task.busy && <StatusMark status="running" />}
        {task.busy && doing !== "" && (
          <span class="note" role="status">
            {doing}…
          </span>
        )}
      </div>
      {text !== undefined && (
        <div
          role="status"
          class={`outcome ${task.problem === undefined ? toneOf(task.result, last) : "bad"}`}
        >
          {tests && <TestResults tests={tests} />}
          {text !== "" && (
            <pre>
              <WithCode text={text} />
            </pre>
          )}
        </div>
      )}
    </div>
  );
}

/** Only a check has passed or not: the one of this button, or the remembered one. */
function toneOf(
  result: { readonly ok: boolean; readonly action: ExerciseAction } | undefined,
  last: ActionState | undefined,
): string {
  const passed = result ? result.ok : last?.status === "done";
  if (!passed) return "bad";
  return result === undefined || result.action === "check" ? "ok" : "";
}
