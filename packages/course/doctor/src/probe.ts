import type { EngineState } from "./engine.ts";
import type { Finding, Purpose } from "./finding.ts";
import type { Machine } from "./machine.ts";
import type { System } from "./system.ts";

/** The input of a probe. */
export interface Scene {
  readonly machine: Machine;
  /** The system whose commands are printed: the machine's own, unless `--platform` names another. */
  readonly system: System;
  /** The engines, which are asked once for all probes. */
  readonly engines: Promise<readonly EngineState[]>;
}

/** One check of a machine. It may throw or hang: `examine` makes a finding of both. */
export interface Probe {
  readonly subject: string;
  /** The purposes that do not work if the probe gets no answer. */
  readonly neededFor: readonly Purpose[];
  readonly look: (scene: Scene) => Promise<readonly Finding[]>;
}

/** The purposes of every page, on any cluster. */
export const everyPage: readonly Purpose[] = ["embedded", "kind", "existing"];
