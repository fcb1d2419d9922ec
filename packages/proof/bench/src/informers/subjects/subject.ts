import type { ResourceName } from "../server/recording.ts";

/** Told of each object and each change, as a controller's handler is: it wants the key, and enqueues it. */
export type Told = (key: string, resourceVersion: string) => void;

export interface Running {
  /** So that nothing of it is collected as garbage while it is measured. */
  readonly informer: unknown;
  /** Resolves when the informer itself says that it has synced, if it can say so. */
  readonly synced?: Promise<unknown>;
}

/** Starts an informer of all objects of a resource. KUBECONFIG names the server. */
export type StartSubject = (resource: ResourceName, told: Told) => Running | Promise<Running>;
