import { Counter, type EventRecorder, type Manager } from "@operator-path/controller-runtime";
import type { WatchesOptions } from "@operator-path/helm-operator";
import { valuesFor } from "./memcached.values.ts";

// What the chart does not render, and the functions here ask for. (What it renders is in config/rbac/helm_role.yaml.)
// +kubebuilder:rbac:groups=core,resources=namespaces,verbs=list;watch

/** What is done for the releases of Memcacheds besides what their chart says. */
export function memcachedReleases(manager: Manager): Omit<WatchesOptions, "helm"> {
  const events = countingRepairs(manager, manager.eventRecorderFor("memcached-helm"));
  return {
    valueTranslator: (memcached) => valuesFor(manager.client, memcached),
    eventRecorder: events,
    log: manager.log.child({ logger: "releases.Memcached" }),
    preHooks: [
      (_memcached, values, { operation, log }) => {
        if (operation === "reconcile") return;
        log.info({ replicaCount: values?.replicaCount }, `about to ${operation}`);
      },
    ],
    postHooks: [
      (memcached, release, { operation }) => {
        if (operation !== "install" || !release) return;
        events.event(memcached, "Normal", "Address", `${release.name}.${release.namespace}.svc`);
      },
    ],
  };
}

/** Counts what others have changed, and writes the Events as ever. */
function countingRepairs({ metrics }: Manager, recorder: EventRecorder): EventRecorder {
  const repairs = new Counter({
    name: "memcached_repairs_total",
    help: "Objects of Memcacheds that somebody else had changed.",
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
