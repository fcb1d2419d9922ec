import type { KubeObject } from "@operator-path/client";
import { expect, test } from "vitest";
import { statusOf } from "./object-status.ts";

const pod = (status: object, more: object = {}) => ({
  kind: "Pod",
  spec: { containers: [{ name: "a" }, { name: "b" }] },
  status,
  ...more,
});
const container = (state: object, ready = false, restartCount = 0) => ({
  name: "a",
  state,
  ready,
  restartCount,
});
const running = { running: {} };

test.each<[string, object, [tone: string, word: string, detail: string]]>([
  ["a Pod without status", pod({}), ["busy", "Pending", "0/2 ready"]],
  [
    "a Pod whose container is not ready",
    pod({ phase: "Running", containerStatuses: [container(running, true), container(running)] }),
    ["busy", "Running", "1/2 ready"],
  ],
  [
    "a ready Pod with an ephemeral container",
    pod({
      phase: "Running",
      containerStatuses: [container(running, true, 1), container(running, true)],
      ephemeralContainerStatuses: [container(running)],
    }),
    ["ok", "Running", "2/2 ready · 1 restart · 1 ephemeral"],
  ],
  [
    "a ready Pod with an ephemeral container that cannot start",
    pod({
      phase: "Running",
      containerStatuses: [container(running, true), container(running, true)],
      ephemeralContainerStatuses: [container({ waiting: { reason: "CreateContainerConfigError" } })],
    }),
    ["bad", "CreateContainerConfigError", "2/2 ready · 1 ephemeral"],
  ],
  [
    "a ready Pod with an ephemeral container that starts",
    pod({
      phase: "Running",
      containerStatuses: [container(running, true), container(running, true)],
      ephemeralContainerStatuses: [container({ waiting: { reason: "ContainerCreating" } })],
    }),
    ["ok", "Running", "2/2 ready · 1 ephemeral"],
  ],
  [
    "a ready Pod whose ephemeral container ended with an error",
    pod({
      phase: "Running",
      containerStatuses: [container(running, true), container(running, true)],
      ephemeralContainerStatuses: [container({ terminated: { exitCode: 130 } })],
    }),
    ["ok", "Running", "2/2 ready · 1 ephemeral"],
  ],
  [
    "a Pod that crashes",
    pod({
      phase: "Running",
      containerStatuses: [container({ waiting: { reason: "CrashLoopBackOff" } }, false, 4)],
    }),
    ["bad", "CrashLoopBackOff", "0/2 ready · 4 restarts"],
  ],
  [
    "a Pod whose image is missing",
    pod({ phase: "Pending", containerStatuses: [container({ waiting: { reason: "ErrImagePull" } })] }),
    ["bad", "ErrImagePull", "0/2 ready"],
  ],
  [
    "a Pod that starts",
    pod({ phase: "Pending", containerStatuses: [container({ waiting: { reason: "ContainerCreating" } })] }),
    ["busy", "ContainerCreating", "0/2 ready"],
  ],
  ["an evicted Pod", pod({ phase: "Failed", reason: "Evicted" }), ["bad", "Evicted", "0/2 ready"]],
  ["a Pod that is done", pod({ phase: "Succeeded" }), ["idle", "Completed", "0/2 ready"]],
  [
    "a Pod that is being deleted",
    pod({ phase: "Running" }, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    ["ending", "Terminating", "0/2 ready"],
  ],
  [
    "a Deployment",
    {
      ...{ kind: "Deployment", metadata: { generation: 2 }, spec: { replicas: 2 } },
      status: { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 2 },
    },
    ["ok", "Ready", "2/2 ready"],
  ],
  [
    "a Deployment with old Pods",
    {
      ...{ kind: "Deployment", metadata: { generation: 2 }, spec: { replicas: 2 } },
      status: { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 1 },
    },
    ["busy", "Progressing", "2/2 ready"],
  ],
  [
    "a Deployment whose controller has not seen its spec",
    { kind: "Deployment", metadata: { generation: 2 }, spec: { replicas: 0 }, status: { readyReplicas: 1 } },
    ["busy", "Pending", "1/0 ready"],
  ],
  [
    "a ReplicaSet of an old revision",
    { kind: "ReplicaSet", spec: { replicas: 0 } },
    ["idle", "Scaled to 0", "0/0 ready"],
  ],
  [
    "a Job that failed",
    {
      kind: "Job",
      status: { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }] },
    },
    ["bad", "BackoffLimitExceeded", "0/1 succeeded"],
  ],
  [
    "a custom resource that is not available",
    {
      kind: "Memcached",
      status: { conditions: [{ type: "Available", status: "False", reason: "Reconciling" }] },
    },
    ["busy", "Not available", "Reconciling"],
  ],
  [
    "a degraded custom resource",
    {
      kind: "Memcached",
      status: {
        conditions: [
          { type: "Available", status: "True" },
          { type: "Degraded", status: "True", reason: "NoImage" },
        ],
      },
    },
    ["bad", "Degraded", "NoImage"],
  ],
  [
    "a custom resource with a phase",
    { kind: "Backup", status: { phase: "Failing" } },
    ["bad", "Failing", ""],
  ],
  [
    "a custom resource with strange conditions",
    { kind: "X", status: { conditions: "no" } },
    ["idle", "", ""],
  ],
  [
    "a definition of which only the metadata is known",
    { kind: "CustomResourceDefinition" },
    ["idle", "", ""],
  ],
  ["a ConfigMap", { kind: "ConfigMap" }, ["idle", "", ""]],
])("%s", (_name, object, [tone, word, detail]) => {
  expect(statusOf(object as KubeObject)).toEqual({ tone, word, detail });
});
