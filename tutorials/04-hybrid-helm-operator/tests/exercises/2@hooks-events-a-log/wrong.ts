import type { Manager } from "@operator-path/controller-runtime";
import type { WatchesOptions } from "@operator-path/helm-operator";
import { countingRepairs } from "./counted.repairs.ts";
import { atMostFive } from "./memcached.limits.ts";
import { valuesFor } from "./memcached.values.ts";

// The chart's permissions are in config/rbac/helm_role.yaml. The functions here also read Namespaces.
// +kubebuilder:rbac:groups=core,resources=namespaces,verbs=list;watch

/** Returns what the operator does for releases of Memcacheds besides what their chart says. */
export function memcachedReleases(manager: Manager): Omit<WatchesOptions, "helm"> {
  const events = countingRepairs(manager, manager.eventRecorderFor("memcached-helm"));
  return {
    valueTranslator: (memcached) => valuesFor(manager.client, memcached),
    valueMapper: atMostFive,
    eventRecorder: events,
    log: manager.log.child({ logger: "releases.Memcached" }),
    preHooks: [
      (_memcached, values, { operation, log }) => {
        if (operation === "reconcile") return;
        log.info({ replicaCount: values?.replicaCount }, `about to ${operation}`);
      },
    ],
    postHooks: [
      // The name of a release is not that of its Service.
      (memcached, release, { operation }) => {
        if (operation === "install") events.event(memcached, "Normal", "Address", `${release?.name}.${release?.namespace}.svc`);
      },
    ],
  };
}
