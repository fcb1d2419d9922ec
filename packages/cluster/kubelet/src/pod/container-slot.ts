import type { ImageReference } from "../images/reference.ts";
import type { Container, ContainerExit } from "../runtime/contracts.ts";
import type { ContainerSpec, EphemeralSpec, TerminatedState } from "./types.ts";

export type SlotKind = "init" | "regular" | "ephemeral";

/** A container of a Pod's specification, over all its runs. */
export interface ContainerSlot {
  readonly name: string;
  readonly kind: SlotKind;
  spec: ContainerSpec | EphemeralSpec;
  /** The current run, or the last one after it has ended. */
  run: ContainerRun | undefined;
  /** The previous run, for `kubectl logs --previous`. */
  previous: ContainerRun | undefined;
  restartCount: number;
  /** How the previous run ended. Set without `previous` when another kubelet started that run. */
  lastState: TerminatedState | undefined;
  /** Why the container does not run although it should. */
  waiting: { reason: string; message?: string } | undefined;
  /** Whether the startup probe has passed. True without one. */
  started: boolean;
  /** Whether the readiness probe has passed. True without one. */
  ready: boolean;
  /** Stops the probes of the current run. */
  stopProbes: (() => void) | undefined;
  /** The run that received the stop signal. */
  killing: Container | undefined;
}

/** A run as the status shows it, also one that failed to start. */
export interface ContainerRun {
  /** 64 hexadecimal digits. */
  id: string;
  image: ImageReference;
  /** The image as the specification names it. */
  requested: string;
  imageDigest: string;
  startedAt: number;
  user: { uid: number; gid: number };
  /** Undefined if the program does not exist. */
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

/** Whether the container is an init container that keeps running beside the others (KEP-753). */
export function isSidecar(slot: ContainerSlot): boolean {
  return slot.kind === "init" && slot.spec.restartPolicy === "Always";
}

export function isRunning(slot: ContainerSlot): boolean {
  return slot.run !== undefined && slot.run.exit === undefined;
}

/** Whether an ended container restarts, by the Pod's restart policy or its own. */
export function wantsRestart(slot: ContainerSlot, podPolicy: string | undefined, exitCode: number): boolean {
  if (slot.kind === "ephemeral") return false;
  if (isSidecar(slot)) return true;
  const policy = slot.spec.restartPolicy ?? podPolicy ?? "Always";
  if (slot.kind === "init") return exitCode !== 0 && policy !== "Never";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}
