import { catchUp } from "./actions.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { strings } from "./strings.ts";
import { useTask } from "./use-task.ts";
import { WithCode } from "./with-code.tsx";

interface CatchUpProps {
  readonly step: string;
  readonly isDone: boolean;
}

/** Writes the page's files up to the end of a step. */
export function CatchUp({ step, isDone }: CatchUpProps) {
  const task = useTask(catchUp);
  const text = task.problem ?? task.result?.text;
  // What it said stays, and its button keeps the focus.
  if (isDone && !task.busy && text === undefined) return null;
  return (
    <>
      <ConfirmButton
        label={task.busy ? strings.running : strings.catchUp}
        class="quiet"
        busy={task.busy}
        title={strings.catchUp}
        text={strings.catchUpQuestion}
        action={strings.catchUpNow}
        onConfirm={() => void task.start(step)}
      />
      {text !== undefined && (
        <pre role="status" class="outcome">
          <WithCode text={text} />
        </pre>
      )}
    </>
  );
}
