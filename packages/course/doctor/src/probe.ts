import type { EngineState } from "./engine.ts";
import type { Finding, Purpose } from "./finding.ts";
import type { Machine } from "./machine.ts";
import type { System } from "./system.ts";

/** What a probe looks at. */
export interface Scene {
  readonly machine: Machine;
  /** Whose commands mend: the machine's own, unless somebody asked for another. */
  readonly system: System;
  /** Asked once, for all probes. */
  readonly engines: Promise<readonly EngineState[]>;
}

/** One look at a machine. It may throw and hang: `examine` makes a finding of both. */
export interface Probe {
  readonly subject: string;
  /** What does not work where the probe gets no answer. */
  readonly neededFor: readonly Purpose[];
  readonly look: (scene: Scene) => Promise<readonly Finding[]>;
}

/** What every page needs, wherever its cluster is. */
export const everyPage: readonly Purpose[] = ["embedded", "kind", "existing"];
