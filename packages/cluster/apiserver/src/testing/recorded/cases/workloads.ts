import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import { container, mergePatch, paths, workload } from "../objects.ts";

const { deployments, replicaSets, statefulSets, daemonSets, jobs, cronJobs } = paths;
const create = (name: string, path: string, body: JsonObject): Exchange => ({ name, path, body });
const change = (name: string, path: string, old: JsonObject, body: JsonObject): Exchange => ({
  name,
  method: "PATCH",
  path: `${path}/a`,
  contentType: mergePatch,
  body,
  given: [{ path, body: old }],
});
const template: JsonObject = { spec: { restartPolicy: "Never", containers: [container()] } };
const job = (spec: JsonObject = {}): JsonObject => ({ metadata: { name: "a" }, spec: { template, ...spec } });
const cronJob = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: "a" },
  spec: { schedule: "* * * * *", jobTemplate: { spec: { template } }, ...spec },
});
const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const selector = { matchLabels: { app: "b" } };

export const workloads: Exchange[] = [
  create("Deployment", deployments, workload()),
  create("Deployment: Recreate", deployments, workload({ strategy: { type: "Recreate" }, replicas: 0 })),
  create("Deployment: nothing", deployments, { metadata: { name: "a" } }),
  create("Deployment: no selector", deployments, workload({ selector: null })),
  create(
    "Deployment: selector operator",
    deployments,
    workload({ selector: { matchExpressions: [{ key: "app", operator: "Foo" }] } }),
  ),
  create(
    "Deployment: selector without values",
    deployments,
    workload({ selector: { matchExpressions: [{ key: "app", operator: "In" }] } }),
  ),
  create(
    "Deployment: selector with values for Exists",
    deployments,
    workload({ selector: { matchExpressions: [{ key: "app", operator: "Exists", values: ["a"] }] } }),
  ),
  create(
    "Deployment: bad label in the selector",
    deployments,
    workload({ selector: { matchLabels: { "a b": "c d" } } }),
  ),
  create(
    "Deployment: no template labels",
    deployments,
    workload({ template: { spec: { containers: [container()] } } }),
  ),
  create("Deployment: bad container", deployments, workload({}, { containers: [{ name: "A_" }] })),
  create("Deployment: replicas", deployments, workload({ replicas: -1 })),
  create("Deployment: minReadySeconds", deployments, workload({ minReadySeconds: -1 })),
  create(
    "Deployment: progressDeadlineSeconds",
    deployments,
    workload({ minReadySeconds: 10, progressDeadlineSeconds: 10 }),
  ),
  create("Deployment: revisionHistoryLimit", deployments, workload({ revisionHistoryLimit: -1 })),
  create("Deployment: strategy type", deployments, workload({ strategy: { type: "Foo" } })),
  create(
    "Deployment: Recreate with rollingUpdate",
    deployments,
    workload({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
  ),
  create(
    "Deployment: neither surge nor unavailable",
    deployments,
    workload({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  ),
  create(
    "Deployment: unavailable above 100%",
    deployments,
    workload({ strategy: { rollingUpdate: { maxUnavailable: "150%" } } }),
  ),
  create(
    "Deployment: invalid surge",
    deployments,
    workload({ strategy: { rollingUpdate: { maxSurge: "x" } } }),
  ),
  create(
    "Deployment: ephemeral containers",
    deployments,
    workload({}, { ephemeralContainers: [{ name: "e", image: "x" }] }),
  ),
  change("Deployment: another selector", deployments, workload(), { spec: { selector } }),
  change("Deployment: replicas by merge", deployments, workload(), { spec: { replicas: 3 } }),
  change("Deployment: image by merge", deployments, workload(), {
    spec: { template: { spec: { containers: [container({ image: "x" })] } } },
  }),
  create("ReplicaSet", replicaSets, workload()),
  create("ReplicaSet: nothing", replicaSets, { metadata: { name: "a" } }),
  create("ReplicaSet: no selector", replicaSets, workload({ selector: null })),
  create("ReplicaSet: selector of other labels", replicaSets, workload({ selector })),
  create("ReplicaSet: replicas", replicaSets, workload({ replicas: -1, minReadySeconds: -1 })),
  create("ReplicaSet: restartPolicy", replicaSets, workload({}, { restartPolicy: "OnFailure" })),
  create("StatefulSet", statefulSets, workload({ serviceName: "a", volumeClaimTemplates: [claim] })),
  create(
    "StatefulSet: OnDelete",
    statefulSets,
    workload({ serviceName: "a", updateStrategy: { type: "OnDelete" } }),
  ),
  create("StatefulSet: nothing", statefulSets, { metadata: { name: "a" } }),
  create("StatefulSet: selector of other labels", statefulSets, workload({ selector })),
  create("StatefulSet: podManagementPolicy", statefulSets, workload({ podManagementPolicy: "Foo" })),
  create("StatefulSet: updateStrategy", statefulSets, workload({ updateStrategy: { type: "Foo" } })),
  create("StatefulSet: replicas", statefulSets, workload({ replicas: -1 })),
  change("StatefulSet: another service", statefulSets, workload({ serviceName: "a" }), {
    spec: { serviceName: "b" },
  }),
  change("StatefulSet: replicas by merge", statefulSets, workload({ serviceName: "a" }), {
    spec: { replicas: 2 },
  }),
  create("DaemonSet: nothing", daemonSets, { metadata: { name: "a" } }),
  create("DaemonSet: updateStrategy", daemonSets, workload({ updateStrategy: { type: "Foo" } })),
  create("DaemonSet: restartPolicy", daemonSets, workload({}, { restartPolicy: "Never" })),
  change("DaemonSet: another selector", daemonSets, workload(), { spec: { selector } }),
  create("Job: nothing", jobs, { metadata: { name: "a" } }),
  create("Job: restartPolicy", jobs, job({ template: { spec: { containers: [container()] } } })),
  create(
    "Job: negative",
    jobs,
    job({
      parallelism: -1,
      completions: -1,
      backoffLimit: -1,
      activeDeadlineSeconds: -1,
      ttlSecondsAfterFinished: -1,
    }),
  ),
  create("CronJob", cronJobs, cronJob()),
  create("CronJob: no schedule", cronJobs, cronJob({ schedule: "" })),
  create("CronJob: schedule", cronJobs, cronJob({ schedule: "nope" })),
  create("CronJob: concurrencyPolicy", cronJobs, cronJob({ concurrencyPolicy: "Foo" })),
];
