import type { Clock } from "@operator-path/client";
import type { PodNetwork } from "../network/pod-network.ts";
import type { ContainerSlot } from "../pod/container-slot.ts";
import { type ProbeSpec, type RecordEvent, seconds } from "../pod/types.ts";
import type { Container } from "../runtime/contracts.ts";
import { runProbe } from "./probe.ts";

/**
 * Runs the startup, readiness and liveness probes of one run of a container. Returns a function that stops
 * them. The other probes wait for the startup probe. A failed startup or liveness probe requests one restart
 * and ends the probes.
 */
export function startProbes(options: {
  slot: ContainerSlot;
  container: Container;
  podIP: string;
  network: PodNetwork;
  clock: Clock;
  record: RecordEvent;
  /** Called when readiness or startup changed. */
  onChange(): void;
  /**
   * Called when the container must restart.
   * @param message the message of the Killing Event
   */
  onFailed(message: string): void;
}): () => void {
  const { slot, container, clock } = options;
  const { startupProbe, readinessProbe, livenessProbe } = slot.spec;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  slot.started = !startupProbe;
  slot.ready = slot.started && !readinessProbe;
  void container.exited.then(stop);

  function afterStart(): void {
    if (readinessProbe) {
      void repeat("Readiness", readinessProbe, (passed) => {
        if (slot.ready === passed) return;
        slot.ready = passed;
        options.onChange();
      });
    }
    if (livenessProbe) {
      void repeat("Liveness", livenessProbe, (passed) => {
        if (passed) return;
        stop();
        options.onFailed(`Container ${slot.name} failed liveness probe, will be restarted`);
      });
    }
  }

  if (!startupProbe) afterStart();
  else {
    const once = new AbortController();
    void repeat(
      "Startup",
      startupProbe,
      (passed) => {
        once.abort();
        if (!passed) {
          stop();
          return options.onFailed(`Container ${slot.name} failed startup probe, will be restarted`);
        }
        slot.started = true;
        slot.ready = !readinessProbe;
        options.onChange();
        afterStart();
      },
      once.signal,
    );
  }
  return stop;

  /** Probes until `stopped` or `done` aborts. Reports a result once it has come often enough in a row. */
  async function repeat(
    type: string,
    probe: ProbeSpec,
    report: (passed: boolean) => void,
    done?: AbortSignal,
  ): Promise<void> {
    const isOver = () => stopped.signal.aborted || done?.aborted;
    const sleep = (ms: number) => clock.sleep(ms, stopped.signal).catch(() => undefined);
    let last: boolean | undefined;
    let run = 0;
    await sleep(seconds(probe.initialDelaySeconds, 0));
    while (!isOver()) {
      const failure = await runProbe(probe, {
        container,
        spec: slot.spec,
        podIP: options.podIP,
        network: options.network,
        timeoutMs: seconds(probe.timeoutSeconds, 1),
      });
      if (isOver()) return;
      const passed = failure === undefined;
      if (!passed) options.record("Warning", "Unhealthy", `${type} probe failed: ${failure}`);
      run = passed === last ? run + 1 : 1;
      last = passed;
      if (run >= (passed ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3))) report(passed);
      await sleep(seconds(probe.periodSeconds, 10));
    }
  }
}
