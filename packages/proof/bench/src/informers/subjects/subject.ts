import type { ResourceName } from "../server/recording.ts";

/** Called for each object and each change. Like a controller's handler, it needs the key, and enqueues it. */
export type OnObject = (key: string, resourceVersion: string) => void;

export interface Running {
  /** Keeps the informer reachable during the measurement. */
  readonly informer: unknown;
  /** Resolves when the informer reports that it has synced, if it can. */
  readonly synced?: Promise<unknown>;
}

/** Starts an informer of all objects of a resource. KUBECONFIG names the server. */
export type StartSubject = (resource: ResourceName, onObject: OnObject) => Running | Promise<Running>;
