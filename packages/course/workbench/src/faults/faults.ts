import { breakWatch, whyNotBreakWatch } from "./break-watch.ts";
import type { Fault } from "./fault.ts";
import { killOperator, whyNotKillOperator } from "./kill-operator.ts";
import { refuseWrites } from "./refuse-writes.ts";
import { takeLease, whyNotTakeLease } from "./take-lease.ts";

export const faults: readonly Fault[] = [
  {
    name: "kill-operator",
    title: "Kill the operator",
    description: "Ends the program in the terminal operator with SIGKILL, so it cannot say goodbye.",
    inServer: false,
    whyNot: whyNotKillOperator,
    cause: killOperator,
  },
  {
    name: "break-watch",
    title: "Break the watch",
    description: "The API server drops the connections of all your operator's watches.",
    inServer: true,
    whyNot: whyNotBreakWatch,
    cause: breakWatch,
  },
  {
    name: "refuse-writes",
    title: "Refuse its writes",
    description:
      "The API server answers your operator's writes with 403, as if its Role did not permit them.",
    inServer: true,
    cause: refuseWrites,
  },
  {
    name: "take-lease",
    title: "Take the lease",
    description: "Writes another holder into the Lease of each operator, as a second replica would.",
    inServer: false,
    whyNot: whyNotTakeLease,
    cause: takeLease,
  },
];
