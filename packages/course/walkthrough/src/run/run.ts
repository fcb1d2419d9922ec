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
  /** The values that stand for the samples of the page. Each block adds to them. */
  samples: Samples;
  readonly leaks: LeakCheck;
  /** Absent: the cluster is not this run's own. */
  readonly decoy: Decoy | undefined;
  /** An operator ran in a cluster that rested. */
  sawOperatorRest: boolean;
}
