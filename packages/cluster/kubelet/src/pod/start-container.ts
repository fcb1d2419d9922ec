import type { Pod } from "@operator-path/client";
import { ImageError } from "../images/image-manager.ts";
import { randomId, startContainer } from "../runtime/container.ts";
import { ConfigError, HostError, StartError } from "../runtime/errors.ts";
import { terminated } from "../status/container-status.ts";
import { containerMounts, type PodVolumes } from "../volumes/volumes.ts";
import type { BackOff } from "./back-off.ts";
import { containerConfig } from "./container-config.ts";
import { type ContainerSlot, isRunning, wantsRestart } from "./container-slot.ts";
import { containerEnvironment, serviceEnvironment } from "./environment.ts";
import type { NodeContext } from "./pod-context.ts";
import type { PodSandbox } from "./pod-sandbox.ts";
import type { RecordEvent } from "./types.ts";

/** The delay before the next attempt after a configuration error. */
const RETRY_MS = 10_000;

/**
 * Tries once to start a container: pulls the image, resolves the configuration, creates and starts it. A
 * failure becomes the slot's waiting state.
 * @returns ms until the next attempt, or undefined when the container runs
 */
export async function startSlot(options: {
  node: NodeContext;
  pod: Pod;
  slot: ContainerSlot;
  slots: readonly ContainerSlot[];
  sandbox: PodSandbox;
  volumes: PodVolumes;
  record: RecordEvent;
  /** Failed attempts caused by this machine, by the slot's name. */
  hostFailures: BackOff;
}): Promise<number | undefined> {
  const { node, pod, slot, sandbox, record, hostFailures } = options;
  const { clock, random } = node;
  const wait = hostFailures.remaining(slot.name, hostFailures.lastUpdate(slot.name), clock.steady());
  if (wait > 0) return wait;
  try {
    const { reference, digest, image } = await node.images.ensure(
      pod,
      slot.spec.image ?? "",
      slot.spec.imagePullPolicy,
      record,
    );
    const status = { podIP: sandbox.ip, hostIP: node.nodeIP };
    const env = {
      ...serviceEnvironment(pod, node.services()),
      ...(await containerEnvironment(node.client, pod, status, slot.spec, node.nodeName)),
    };
    const runOf = (name: string) => options.slots.find((other) => other.name === name)?.run?.container;
    const target = "targetContainerName" in slot.spec ? slot.spec.targetContainerName : undefined;
    const targetSlot = options.slots.find((other) => other.name === target);
    if (target && !(targetSlot && isRunning(targetSlot))) {
      throw new ConfigError(`unable to find target container "${target}"`);
    }
    await image.prepare?.();
    const config = containerConfig({
      id: randomId(random),
      pod,
      spec: slot.spec,
      image,
      tag: reference.tag ?? "latest",
      env,
      mounts: containerMounts(slot.spec, options.volumes, env),
      processes: sandbox.processesFor(targetSlot?.run?.container?.config.processes),
      siblings: runOf,
      network: sandbox.network,
      clock,
      random,
    });
    const run: NonNullable<ContainerSlot["run"]> = {
      id: config.id,
      image: reference,
      requested: slot.spec.image ?? "",
      imageDigest: digest,
      startedAt: clock.now(),
      user: { uid: config.credentials.uid, gid: config.credentials.gid },
      container: undefined,
      exit: undefined,
    };
    let failure: StartError | undefined;
    try {
      run.container = await startContainer(config);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      failure = error;
    }
    hostFailures.forget(slot.name);
    if (slot.run?.exit) {
      slot.previous = slot.run;
      slot.lastState = terminated(slot.run);
    }
    if (slot.run || slot.lastState) slot.restartCount++;
    slot.run = run;
    record("Normal", "Created", "Container created");
    if (failure) {
      const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${failure.message}: unknown`;
      run.exit = {
        code: 128,
        reason: "StartError",
        message,
        finishedAt: clock.now(),
        endedAt: clock.steady(),
      };
      // containerd has no start time for a container that never ran.
      run.startedAt = 0;
      const policy = pod.spec?.restartPolicy;
      const isRetried =
        slot.kind === "ephemeral" ? policy !== "Never" : wantsRestart(slot, policy, run.exit.code);
      slot.waiting = isRetried ? { reason: "RunContainerError", message } : undefined;
      record("Warning", "Failed", `Error: ${message}`);
      return 1000;
    }
    slot.waiting = undefined;
    record("Normal", "Started", "Container started");
    return undefined;
  } catch (error) {
    if (error instanceof ImageError) {
      slot.waiting = { reason: error.reason, message: error.message };
      return error.retryAfter;
    }
    if (error instanceof ConfigError) {
      slot.waiting = { reason: "CreateContainerConfigError", message: error.message };
      record("Warning", "Failed", `Error: ${error.message}`);
      return RETRY_MS;
    }
    if (error instanceof HostError) {
      const message = `failed to create container: ${error.message}`;
      // One Event per failure, not one per attempt.
      if (slot.waiting?.message !== message) record("Warning", "Failed", `Error: ${message}`);
      slot.waiting = { reason: "CreateContainerError", message };
      hostFailures.next(slot.name, clock.steady());
      return hostFailures.delay(slot.name);
    }
    throw error;
  }
}
