import { useEffect, useState } from "preact/hooks";
import type { Problem } from "./code-editor.ts";
import { Icon } from "./icons.tsx";
import { strings } from "./strings.ts";

export interface ProblemListProps {
  /** Undefined until the language server has answered. */
  readonly problems: readonly Problem[] | undefined;
  /** Why there is no language server. */
  readonly failure: string | undefined;
  onOpen(problem: Problem): void;
}

/** Milliseconds without a change of the problems until the list opens. A half-written line has some, too. */
const rest = 1_500;

/** The language server's diagnostics of the open file, below its editor. */
export function ProblemList({ problems, failure, onOpen }: ProblemListProps) {
  const [open, setOpen] = useState(true);
  const [settled, setSettled] = useState(false);
  const isEmpty = failure !== undefined || !problems?.length;
  useEffect(() => {
    if (isEmpty) return setSettled(false);
    const timer = setTimeout(() => setSettled(true), rest);
    return () => clearTimeout(timer);
  }, [problems, isEmpty]);
  const shown = open && settled && !isEmpty;
  const summary = failure ?? (problems ? strings.problemCount(problems.length) : strings.checkingTypes);
  return (
    <section class="problems" data-region aria-label={strings.problems}>
      <p class="sr" role="status">
        {summary}
      </p>
      <button
        type="button"
        class="problems-head"
        aria-expanded={shown}
        disabled={isEmpty}
        onClick={() => {
          setSettled(true);
          setOpen(!shown);
        }}
      >
        <Icon name={shown ? "down" : "chevron"} />
        {summary}
      </button>
      <p class="editor-keys">
        {strings.editorKeys.map(([key, what]) => (
          <span key={key}>
            <kbd>{key}</kbd> {what}
          </span>
        ))}
      </p>
      {shown && (
        <ul>
          {problems?.map((problem) => (
            <li key={`${problem.from}:${problem.message}`}>
              <button type="button" class="problem-item" onClick={() => onOpen(problem)}>
                <span class={`severity ${problem.severity}`}>{problem.severity}</span>{" "}
                <span class="problem-line">{strings.line(problem.line)}</span>{" "}
                <span class="problem-text">{problem.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
