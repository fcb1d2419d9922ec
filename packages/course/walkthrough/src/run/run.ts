import type { Cluster } from "@operator-path/cluster";
import type { Samples } from "../expect/samples.ts";
import type { PreparedProject } from "../project/prepare.ts";
import type { Decoy } from "./decoy/decoy.ts";
import type { RunEnvironment } from "./environment.ts";
import type { LeakCheck } from "./leaks.ts";
import type { PageTerminal } from "./page-terminal.ts";

/** A run between its beginning and its end. */
export interface Run {
  readonly environment: RunEnvironment;
  readonly cluster: Cluster | undefined;
  readonly ownsCluster: boolean;
  readonly project: PreparedProject | undefined;
  readonly terminals: Map<string, PageTerminal>;
  /** The learner's values of the page's samples. Each match may add some. */
  samples: Samples;
  readonly leaks: LeakCheck;
  /** Undefined if the run does not own the cluster. */
  readonly decoy: Decoy | undefined;
  /** Set once the cluster rested while an operator ran. */
  sawOperatorRest: boolean;
}
