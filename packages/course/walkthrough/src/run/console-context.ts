import type { Samples } from "../expect/samples.ts";
import type { ConsoleBlock } from "../page/page.ts";
import type { Acceptance } from "./acceptance.ts";
import type { Limits } from "./limits.ts";
import type { PageTerminal } from "./page-terminal.ts";

/** The part of a run that its console blocks use. */
export interface ConsoleContext {
  samples: Samples;
  terminal(block: ConsoleBlock): Promise<PageTerminal>;
  doing(what: string, line: number): void;
  readonly cleaningUp: boolean;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Set in a run that accepts output that differs. */
  readonly acceptance?: Acceptance | undefined;
}
