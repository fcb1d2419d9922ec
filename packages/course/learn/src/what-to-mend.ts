import { UserError } from "@operator-path/cluster/user-error";
import { CommandError } from "@operator-path/operator-sdk";
import { PageFailure } from "@operator-path/walkthrough";

/**
 * Turns an error that a person can fix into a UserError of one line: a replayed edit or command of a page
 * that failed, with the last line of its output, or a failed operator-sdk command. Returns any other error as
 * it is.
 */
export function whatToMend(error: unknown): unknown {
  if (error instanceof CommandError) return new UserError(error.message);
  if (!(error instanceof PageFailure)) return error;
  const said = error.diff.findLast(({ kind, text }) => kind === "+" && text.trim() !== "")?.text.trim();
  return new UserError(said === undefined ? error.message : `${error.message}: ${said}`);
}
