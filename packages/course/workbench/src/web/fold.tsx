import type { ComponentChildren } from "preact";
import type { FilePart } from "../page/page-view.ts";
import { doExercise, showTab } from "./actions.ts";
import { StatusMark } from "./icons.tsx";
import { SolutionButton } from "./solution-button.tsx";
import { useStore } from "./store.ts";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";
import { WithCode } from "./with-code.tsx";

interface FoldProps {
  readonly summary: string;
  /** The exercise whose solution it shows. */
  readonly exercise: FilePart | undefined;
  readonly children: ComponentChildren;
}

/** A fold of the page: a hint, a solution, or more to read. */
export function Fold({ summary, exercise, children }: FoldProps) {
  return (
    <details class="fold">
      <summary>{summary}</summary>
      {exercise && <WriteSolution exercise={exercise} />}
      {children}
    </details>
  );
}

function WriteSolution({ exercise }: { readonly exercise: FilePart }) {
  const store = useStore();
  const task = useTask(async (_: undefined) => {
    const outcome = await doExercise(store, exercise, "solution");
    showTab(store, { kind: "file", path: exercise.file }, outcome.line);
    return outcome;
  });
  const text = task.problem ?? task.result?.text;
  return (
    <div class="exercise solution">
      <div class="buttons">
        <SolutionButton
          file={exercise.file}
          label={strings.writeSolution}
          class="plain"
          busy={task.busy}
          onConfirm={() => void task.start(undefined)}
        />
        {task.busy && <StatusMark status="running" />}
      </div>
      {text !== undefined && (
        <pre role="status" class={task.result?.ok ? "outcome" : "outcome bad"}>
          <WithCode text={text} />
        </pre>
      )}
    </div>
  );
}
