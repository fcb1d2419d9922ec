import type { ImageReference } from "../images/reference.ts";
import type { Container, ContainerExit } from "../runtime/contracts.ts";
import type { ContainerSpec, EphemeralSpec, TerminatedState } from "./types.ts";

export type SlotKind = "init" | "regular" | "ephemeral";

/** What a node knows of one container of a Pod's specification, over all its runs. */
export interface ContainerSlot {
  readonly name: string;
  readonly kind: SlotKind;
  spec: ContainerSpec | EphemeralSpec;
  /** The present run, or the last one when it has ended. */
  run: ContainerRun | undefined;
  /** The run before, for `kubectl logs --previous`. */
  previous: ContainerRun | undefined;
  restartCount: number;
  /** How the run before ended; outlives `previous` when it was another kubelet's. */
  lastState: TerminatedState | undefined;
  /** Why it does not run, when it should. */
  waiting: { reason: string; message?: string } | undefined;
  /** Startup probe passed (or there is none). */
  started: boolean;
  /** Readiness probe passed (or there is none). */
  ready: boolean;
  /** Stops the probes of the present run. */
  stopProbes: (() => void) | undefined;
  /** The run that has been told to stop. */
  killing: Container | undefined;
}

/** A run as the status shows it: started, or failed to start. */
export interface ContainerRun {
  /** 64 hexadecimal digits. */
  id: string;
  image: ImageReference;
  /** The image as the specification wrote it. */
  requested: string;
  imageDigest: string;
  startedAt: number;
  user: { uid: number; gid: number };
  /** Undefined when there was no program to start. */
  container: Container | undefined;
  exit: ContainerExit | undefined;
}

export function createSlot(kind: SlotKind, spec: ContainerSpec | EphemeralSpec): ContainerSlot {
  return {
    name: spec.name,
    kind,
    spec,
    run: undefined,
    previous: undefined,
    restartCount: 0,
    lastState: undefined,
    waiting: undefined,
    started: false,
    ready: false,
    stopProbes: undefined,
    killing: undefined,
  };
}

/** An init container that keeps running beside the others (KEP-753). */
export function isSidecar(slot: ContainerSlot): boolean {
  return slot.kind === "init" && slot.spec.restartPolicy === "Always";
}

export function isRunning(slot: ContainerSlot): boolean {
  return slot.run !== undefined && slot.run.exit === undefined;
}

/** Whether the Pod's restart policy (or the sidecar's own) wants an ended container back. */
export function wantsRestart(slot: ContainerSlot, podPolicy: string | undefined, exitCode: number): boolean {
  if (slot.kind === "ephemeral") return false;
  if (isSidecar(slot)) return true;
  const policy = slot.spec.restartPolicy ?? podPolicy ?? "Always";
  if (slot.kind === "init") return exitCode !== 0 && policy !== "Never";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}
