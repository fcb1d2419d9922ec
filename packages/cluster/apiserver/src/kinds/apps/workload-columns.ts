import type { Named } from "../../server/table/printer.ts";
import type { ContainerNames, Labelled } from "../printing.ts";

/** What the cells of Deployment, ReplicaSet, StatefulSet and DaemonSet read. */
export interface Workload extends Named {
  spec?: {
    replicas?: number;
    selector?: Labelled;
    template?: PodTemplateSpec;
  };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    desiredNumberScheduled?: number;
    currentNumberScheduled?: number;
    numberReady?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
  };
}

export interface PodTemplateSpec {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: ContainerNames[]; nodeSelector?: Record<string, string> };
}
