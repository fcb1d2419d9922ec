import type { List } from "@operator-path/client";
import type {
  int32,
  int64,
  JobTemplateSpec,
  KubeObject,
  ObjectReference,
  Time,
} from "@operator-path/controller-gen/types";

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec {
  /**
   * The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.
   * +kubebuilder:validation:MinLength=0
   */
  schedule: string;

  /**
   * Deadline in seconds for starting the job if it misses its scheduled
   * time for any reason. Missed runs count as failed ones.
   * +kubebuilder:validation:Minimum=0
   */
  startingDeadlineSeconds?: int64;

  /**
   * How runs at the same time are treated.
   * Valid values are:
   * - "Allow" (default): allows them;
   * - "Forbid": skips the next run while one is going on;
   * - "Replace": ends the one that goes on, and starts anew
   * +kubebuilder:default=Allow
   */
  concurrencyPolicy?: ConcurrencyPolicy;

  /** Whether runs that have not begun are held back. */
  suspend?: boolean;

  /** What is run. */
  jobTemplate: JobTemplateSpec;

  // +kubebuilder:validation:Minimum=0
  successfulJobsHistoryLimit?: int32;
}

/**
 * ConcurrencyPolicy describes how the job will be handled.
 * Only one of the following policies may be said.
 * If none is, AllowConcurrent is.
 */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /**
   * Jobs that run.
   * +listType=atomic
   * +kubebuilder:validation:MinItems=1
   * +kubebuilder:validation:MaxItems=10
   */
  active?: ObjectReference[];

  lastScheduleTime?: Time;
}

/**
 * CronJob is the Schema for the cronjobs API
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface CronJob extends KubeObject {
  /** spec defines the desired state of CronJob */
  spec: CronJobSpec;

  /** status defines the observed state of CronJob */
  status?: CronJobStatus;
}

/**
 * CronJobList contains a list of CronJob
 *
 * +kubebuilder:object:root=true
 */
export interface CronJobList extends List<CronJob> {}
