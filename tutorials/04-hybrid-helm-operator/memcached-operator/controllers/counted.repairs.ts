import { Counter, type EventRecorder, type Manager } from "@operator-path/controller-runtime";

/** Returns a recorder that also counts the objects that the operator has repaired. */
export function countingRepairs(
  { metrics }: Pick<Manager, "metrics">,
  recorder: EventRecorder,
): EventRecorder {
  const repairs = new Counter({
    name: "memcached_repairs_total",
    help: "Objects of Memcacheds that another client had changed or deleted.",
    labelNames: ["namespace"],
    registers: [metrics],
  });
  return {
    event(object, type, reason, ...rest) {
      if (reason === "DriftRepaired") repairs.inc({ namespace: object.metadata?.namespace });
      recorder.event(object, type, reason, ...rest);
    },
    flush: (signal) => recorder.flush(signal),
  };
}
