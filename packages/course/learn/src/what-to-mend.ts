import { UserError } from "@operator-path/cluster/user-error";
import { CommandError } from "@operator-path/operator-sdk";
import { PageFailure } from "@operator-path/walkthrough";

/**
 * An edit or a command of a page that failed where it was done again, or a command of ours: in a line, with the last that
 * it said. Any other error is none that a person can mend, and stays as it is.
 */
export function whatToMend(error: unknown): unknown {
  if (error instanceof CommandError) return new UserError(error.message);
  if (!(error instanceof PageFailure)) return error;
  const said = error.diff.findLast(({ kind, text }) => kind === "+" && text.trim() !== "")?.text.trim();
  return new UserError(said === undefined ? error.message : `${error.message}: ${said}`);
}
