import type { MetricDefinition } from "../metrics.ts";

/**
 * Metrics of leader election under the names that existing dashboards use (component-base,
 * controller-runtime). The label `name` is the name of the Lease.
 */
export const leaderElectionMetrics = {
  masterStatus: {
    name: "leader_election_master_status",
    help: "Whether this process leads: 1 from the moment it acquires the Lease until its work is asked to stop, otherwise 0. Group by name",
    type: "gauge",
    labels: ["name"],
  },
  slowPath: {
    name: "leader_election_slowpath_total",
    help: "Total number of renewals that had to read the Lease first, because another client had written it. Group by name",
    type: "counter",
    labels: ["name"],
  },
} as const satisfies Record<string, MetricDefinition>;
