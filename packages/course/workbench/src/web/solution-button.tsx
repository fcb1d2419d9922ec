import { ConfirmButton, type ConfirmButtonProps } from "./confirm-button.tsx";
import { strings } from "./strings.ts";

interface SolutionButtonProps extends Pick<ConfirmButtonProps, "label" | "class" | "busy" | "onConfirm"> {
  readonly file: string;
}

/** Asks before the solution of an exercise replaces the learner's file. */
export function SolutionButton({ file, ...rest }: SolutionButtonProps) {
  return (
    <ConfirmButton
      {...rest}
      title={strings.takeSolution}
      text={strings.solutionQuestion(file)}
      action={strings.solutionNow}
    />
  );
}
