import { type CronJob, events } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cronJobs, jobs } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
// The API server uses the real clock for creationTimestamp.
const clock = createFakeClock(Date.now());
const minute = 60_000;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ clock });
});
afterAll(() => cluster.stop());

async function scene(spec: Partial<NonNullable<CronJob["spec"]>> = {}) {
  const namespace = await cluster.namespace();
  const all = cluster.client.resource(cronJobs).namespace(namespace);
  const children = cluster.client.resource(jobs).namespace(namespace);
  await all.create({
    metadata: { name: "tick", namespace },
    spec: {
      schedule: "* * * * *",
      jobTemplate: {
        metadata: { labels: { from: "tick" } },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "c" }] } } },
      },
      ...spec,
    },
  });
  const list = async () => (await children.list()).items.map(({ metadata }) => metadata?.name ?? "");
  return {
    namespace,
    cronJobs: all,
    jobs: children,
    list,
    status: async () => (await all.get("tick")).status,
    async finish(name: string, type: "Complete" | "Failed") {
      // The Job controller starts it. Of the finished Jobs, the one that started first is deleted first.
      await eventually(async () => (await children.get(name)).status?.startTime).toBeDefined();
      const time = new Date(clock.now()).toISOString().replace(/\.\d+Z/, "Z");
      const target = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
      const conditions = [target, type].map((type) => ({ type, status: "True", lastTransitionTime: time }));
      const status = { active: null, conditions, ...(type === "Complete" && { completionTime: time }) };
      await children.patch(name, { status }, { type: "merge", subresource: "status" });
    },
    messages: async () =>
      (await cluster.client.resource(events).namespace(namespace).list()).items
        .filter(({ source }) => source?.component === "cronjob-controller")
        .map(({ reason, message }) => `${reason}: ${message}`),
  };
}

/**
 * A write that lost a race is retried after a backoff on this clock. Advance it, but not into the next
 * minute.
 */
function eventually<T>(read: () => Promise<T>, step = 10) {
  return expect.poll(async () => {
    await clock.advance(step);
    return read();
  }, within);
}

/**
 * Advances one second into the next minute, so that each schedule is due exactly once more. (CronJobs are
 * created by the real clock.)
 */
async function nextMinute(): Promise<void> {
  const now = clock.now();
  const begins = (Math.floor(Math.max(now, Date.now()) / minute) + 1) * minute;
  await clock.advance(begins + 1_000 - now);
}

test("starts a Job each time the schedule is due, and keeps finished Jobs up to the limits", async () => {
  const tick = await scene({ successfulJobsHistoryLimit: 1 });
  await nextMinute();
  await eventually(tick.list).toHaveLength(1);
  const [first = ""] = await tick.list();
  const job = await tick.jobs.get(first);
  expect(first).toMatch(/^tick-\d+$/);
  expect(job.metadata).toMatchObject({
    labels: { from: "tick" },
    annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": expect.stringMatching(/:00Z$/) },
    ownerReferences: [{ kind: "CronJob", name: "tick", controller: true }],
  });
  await eventually(tick.status).toMatchObject({
    active: [{ kind: "Job", name: first, uid: job.metadata?.uid }],
    lastScheduleTime: job.metadata?.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"],
  });
  await tick.finish(first, "Complete");
  await eventually(async () => (await tick.status())?.lastSuccessfulTime).toBeDefined();
  await eventually(tick.messages).toContain(
    `SawCompletedJob: Saw completed job: ${first}, condition: Complete`,
  );
  expect((await tick.status())?.active).toBeUndefined();

  await nextMinute();
  await eventually(tick.list).toHaveLength(2);
  const second = (await tick.list()).find((name) => name !== first) ?? "";
  await tick.finish(second, "Complete");
  await eventually(tick.list).not.toContain(first);
  await eventually(tick.messages).toContain(`SuccessfulDelete: Deleted job ${first}`);
});

test("leaves a running Job alone, forbids a second one, or replaces it, by concurrencyPolicy", async () => {
  const forbid = await scene({ concurrencyPolicy: "Forbid" });
  const replace = await scene({ concurrencyPolicy: "Replace" });
  const allow = await scene();
  for (const one of [forbid, replace, allow]) await eventually(one.list, 10_000).not.toEqual([]);
  const [before] = [await forbid.list(), await replace.list()];
  await clock.advance(minute);
  await eventually(forbid.messages, 10_000).toContain(
    "JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid",
  );
  expect(await forbid.list()).toEqual(before);
  await eventually(async () => (await allow.list()).length, 10_000).toBeGreaterThanOrEqual(2);
  await eventually(async () =>
    (await replace.messages()).some((text) => text.startsWith("SuccessfulDelete")),
  ).toBe(true);
  await eventually(replace.list).toHaveLength(1);
});

test("a suspended CronJob starts nothing until it is resumed", async () => {
  const suspended = await scene({ suspend: true });
  const other = await scene();
  await eventually(other.list, 30_000).not.toEqual([]);
  expect(await suspended.list()).toEqual([]);
  await suspended.cronJobs.patch("tick", { spec: { suspend: false } }, { type: "merge" });
  await eventually(suspended.list, 10_000).not.toEqual([]);
});
