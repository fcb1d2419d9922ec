import { events, type Job, type Pod, pods } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobs } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import { createPodBackoff } from "./job.ts";
import { formatIndexes, parseIndexes } from "./plan.ts";

let cluster: TestCluster;
const clock = createFakeClock(Date.now());

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ clock });
  await cluster.startKubelet();
});
afterAll(() => cluster.stop());

function eventually<T>(read: () => Promise<T>, step = 100) {
  return expect.poll(async () => {
    await clock.advance(step);
    return read();
  }, within);
}

async function scene(spec: Partial<NonNullable<Job["spec"]>> = {}) {
  const namespace = await cluster.namespace();
  const all = cluster.client.resource(jobs).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  await all.create({
    metadata: { name: "work", namespace },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "c" }] } },
      ...spec,
    },
  });
  const list = async () => (await inNamespace.list()).items;
  const running = async () =>
    (await list()).filter(
      ({ status, metadata }) => status?.phase === "Running" && !metadata?.deletionTimestamp,
    );
  const end = (pod: Pod | undefined, phase: string, more: object = {}) =>
    inNamespace.patch(
      pod?.metadata?.name ?? "",
      { status: { phase, conditions: [{ type: "Ready", status: "False" }], ...more } },
      { type: "strategic", subresource: "status" },
    );
  return {
    namespace,
    jobs: all,
    pods: inNamespace,
    list,
    running,
    end,
    patch: (spec: object) => all.patch("work", { spec }, { type: "merge" }),
    status: async () => (await all.get("work")).status,
    conditions: async () =>
      (await all.get("work")).status?.conditions?.map(
        ({ type, status, reason }) => `${type}=${status} ${reason}`,
      ),
    messages: async () =>
      (await cluster.client.resource(events).namespace(namespace).list()).items
        .filter(({ source }) => source?.component === "job-controller")
        .map(({ reason, message }) => `${reason}: ${message}`),
    /** Finishes this many running Pods as soon as they exist. */
    async finish(count: number, phase: string, more: object = {}) {
      await eventually(async () => (await running()).length).toBeGreaterThanOrEqual(count);
      for (const pod of (await running()).slice(0, count)) await end(pod, phase, more);
    },
  };
}

test("Pods run in parallel until enough have succeeded, then the Job is complete", async () => {
  const work = await scene({ completions: 3, parallelism: 2 });
  await eventually(async () => (await work.running()).length).toBe(2);
  await eventually(work.status).toMatchObject({
    active: 2,
    ready: 2,
    terminating: 0,
    uncountedTerminatedPods: {},
  });
  const [pod] = await work.list();
  expect(pod?.metadata).toMatchObject({
    generateName: "work-",
    finalizers: ["batch.kubernetes.io/job-tracking"],
    labels: { "job-name": "work", "batch.kubernetes.io/job-name": "work" },
    ownerReferences: [{ kind: "Job", controller: true }],
  });
  await work.finish(2, "Succeeded");
  await eventually(work.status).toMatchObject({ active: 1, succeeded: 2 });
  await work.finish(1, "Succeeded");
  await eventually(work.conditions).toEqual([
    "SuccessCriteriaMet=True CompletionsReached",
    "Complete=True CompletionsReached",
  ]);
  expect(await work.status()).toEqual({
    startTime: expect.any(String),
    completionTime: expect.any(String),
    succeeded: 3,
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
    conditions: expect.any(Array),
  });
  expect((await work.list()).flatMap(({ metadata }) => metadata?.finalizers ?? [])).toEqual([]);
  await eventually(work.messages).toContain("Completed: Job completed");
});

test("replaces failed Pods with a growing delay up to the backoff limit", async () => {
  const work = await scene({ backoffLimit: 1 });
  await work.finish(1, "Failed");
  await eventually(work.status, 0).toMatchObject({ failed: 1 });
  expect(await work.list()).toHaveLength(1);
  await clock.advance(9_000);
  expect(await work.list()).toHaveLength(1);
  await clock.advance(2_000);
  await work.finish(1, "Failed");
  await eventually(work.conditions).toEqual([
    "FailureTarget=True BackoffLimitExceeded",
    "Failed=True BackoffLimitExceeded",
  ]);
  expect(await work.status()).toMatchObject({ failed: 2, uncountedTerminatedPods: {} });
  await eventually(work.messages).toContain(
    "BackoffLimitExceeded: Job has reached the specified backoff limit",
  );
});

test("ends a Job and its Pods at the deadline", async () => {
  const work = await scene({ activeDeadlineSeconds: 60, parallelism: 2, completions: 2 });
  await eventually(async () => (await work.running()).length).toBe(2);
  await clock.advance(30_000);
  expect(await work.conditions()).toBeUndefined();
  await eventually(work.conditions, 5_000).toEqual([
    "FailureTarget=True DeadlineExceeded",
    "Failed=True DeadlineExceeded",
  ]);
  await eventually(work.list).toEqual([]);
  expect(await work.status()).toMatchObject({ failed: 2, terminating: 0 });
});

test("each index of an Indexed Job succeeds once, and is retried after a failure", async () => {
  const work = await scene({ completionMode: "Indexed", completions: 4, parallelism: 4 });
  await eventually(async () => (await work.running()).length).toBe(4);
  const byIndex = async (index: string) =>
    (await work.running()).find(
      ({ metadata }) => metadata?.annotations?.["batch.kubernetes.io/job-completion-index"] === index,
    );
  const second = await byIndex("1");
  expect(second).toMatchObject({
    metadata: { generateName: "work-1-", labels: { "batch.kubernetes.io/job-completion-index": "1" } },
    spec: { hostname: "work-1", containers: [{ env: [{ name: "JOB_COMPLETION_INDEX" }] }] },
  });
  await work.end(second, "Failed");
  for (const index of ["0", "2", "3"]) await work.end(await byIndex(index), "Succeeded");
  await eventually(work.status).toMatchObject({ completedIndexes: "0,2,3", succeeded: 3, failed: 1 });
  await eventually(() => byIndex("1"), 2_000).toBeDefined();
  await work.end(await byIndex("1"), "Succeeded");
  await eventually(work.status).toMatchObject({ completedIndexes: "0-3", succeeded: 4, failed: 1 });
  await eventually(work.conditions).toContain("Complete=True CompletionsReached");
});

test("the Pod failure policy ends a Job at once, or ignores a failure", async () => {
  const work = await scene({
    backoffLimit: 0,
    podReplacementPolicy: "Failed",
    podFailurePolicy: {
      rules: [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
      ],
    },
  });
  await work.finish(1, "Failed", { conditions: [{ type: "DisruptionTarget", status: "True" }] });
  const exited = (exitCode: number) => ({
    containerStatuses: [
      {
        name: "c",
        image: "c",
        imageID: "",
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode } },
      },
    ],
  });
  await eventually(async () => (await work.running()).length, 3_000).toBe(1);
  expect((await work.status())?.failed).toBeUndefined();
  const [pod] = await work.running();
  await work.finish(1, "Failed", exited(42));
  await eventually(work.conditions).toEqual([
    "FailureTarget=True PodFailurePolicy",
    "Failed=True PodFailurePolicy",
  ]);
  expect((await work.status())?.conditions?.[1]?.message).toBe(
    `Container c for pod ${work.namespace}/${pod?.metadata?.name} failed with exit code 42 matching FailJob rule at index 1`,
  );
});

test("a suspended Job has no Pods, and its deadline does not advance", async () => {
  const work = await scene({ suspend: true });
  await eventually(work.conditions).toEqual(["Suspended=True JobSuspended"]);
  expect((await work.status())?.startTime).toBeUndefined();
  expect(await work.list()).toEqual([]);
  await work.patch({ suspend: false });
  await eventually(work.conditions).toEqual(["Suspended=False JobResumed"]);
  await eventually(async () => (await work.running()).length).toBe(1);
  await work.patch({ suspend: true });
  await eventually(work.list).toEqual([]);
  await eventually(work.conditions).toEqual(["Suspended=True JobSuspended"]);
  expect((await work.status())?.failed).toBeUndefined();
  await eventually(work.messages).toEqual(
    expect.arrayContaining(["Suspended: Job suspended", "Resumed: Job resumed"]),
  );
});

test("deletes a finished Job and its Pods after its TTL", async () => {
  const work = await scene({ ttlSecondsAfterFinished: 30 });
  await work.finish(1, "Succeeded");
  await eventually(work.conditions).toContain("Complete=True CompletionsReached");
  await clock.advance(20_000);
  expect(await work.list()).toHaveLength(1);
  await eventually(async () => (await work.jobs.list()).items, 1_000).toEqual([]);
  await eventually(work.list).toEqual([]);
});

test("deleting a running Job leaves nothing behind", async () => {
  const work = await scene({ parallelism: 3, completions: 3 });
  await eventually(async () => (await work.running()).length).toBe(3);
  await work.jobs.delete("work", { propagationPolicy: "Background" });
  await eventually(work.list).toEqual([]);
});

test("releases a Pod of an earlier Job of the same name, but not the Job's own", async () => {
  const work = await scene();
  await eventually(async () => (await work.running()).length).toBe(1);
  await work.pods.create({
    metadata: {
      name: "stranger",
      namespace: work.namespace,
      finalizers: ["batch.kubernetes.io/job-tracking"],
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          name: "work",
          uid: "11111111-1111-1111-1111-111111111111",
          controller: true,
        },
      ],
    },
    spec: { containers: [{ name: "c", image: "c" }] },
  });
  await eventually(async () => (await work.list()).map(({ metadata }) => metadata?.name)).not.toContain(
    "stranger",
  );
  expect((await work.running()).map(({ metadata }) => metadata?.finalizers)).toEqual([
    ["batch.kubernetes.io/job-tracking"],
  ]);
});

test("a clock set back by a day delays a Job's next Pod no longer than its backoff", () => {
  const backoff = createPodBackoff();
  const day = 24 * 3_600_000;
  const failed: Pod = { metadata: { uid: "a", deletionTimestamp: new Date(day).toISOString() } };
  backoff.ended("job", [], [failed], day);
  expect(backoff.remaining("job", day)).toBe(10_000);
  expect(backoff.remaining("job", 0)).toBe(10_000);
  expect(backoff.remaining("job", 10_000)).toBe(0);
});

test("formats indexes as in a Job's status", () => {
  expect(formatIndexes([])).toBe("");
  expect(formatIndexes([7, 0, 1, 3, 4, 5])).toBe("0,1,3-5,7");
  expect(parseIndexes("0,1,3-5,7", 6)).toEqual([0, 1, 3, 4, 5]);
  expect(parseIndexes("x,2-,1", 6)).toEqual([1]);
});

test("parses the indexes that it formats", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(200)), (indexes) => {
      expect(parseIndexes(formatIndexes(indexes), 201)).toEqual(indexes.toSorted((a, b) => a - b));
    }),
  );
});
