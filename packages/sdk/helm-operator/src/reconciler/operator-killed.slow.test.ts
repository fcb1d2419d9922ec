// Kills the operator itself, before, during and after each operation of helm. A new one goes on, and reaches
// what the object asks for.
import { type Job, jobs } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import {
  conditionsOf,
  type HelmBench,
  longTimeout,
  namespace,
  patiently,
  startHelmBench,
} from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";
import { type Moment, operatorProcesses } from "./testing/operator-process.ts";

const files = {
  ...webChart,
  "values.yaml": `${webChart["values.yaml"]}hangs: none\n`,
  // helm waits for it until the test completes it.
  "templates/hook.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: {{ if eq .Values.hangs "none" }}test{{ else }}{{ .Values.hangs }}{{ end }}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: hook
          image: busybox
`,
};

type Spec = Record<string, unknown>;

/** For each operation, the object's spec before it, and the changed spec that triggers it. */
const stories: Record<string, { before?: Spec; now?: Spec; hook: string; pending: string }> = {
  install: { now: { replicas: 2 }, hook: "pre-install", pending: "1 pending-install" },
  upgrade: {
    ...{ before: { replicas: 1 }, now: { replicas: 2 } },
    ...{ hook: "pre-upgrade", pending: "2 pending-upgrade" },
  },
  rollback: {
    ...{ before: { replicas: 2 }, now: { broken: true, replicas: 3 } },
    ...{ hook: "pre-rollback", pending: "3 pending-rollback" },
  },
  uninstall: { before: { replicas: 2 }, hook: "pre-delete", pending: "1 uninstalling" },
};

const revisions = async (bench: HelmBench) =>
  (await bench.history("shop")).map(({ revision, status }) => `${revision} ${status}`);

/** Completes each Job, present or future, as the Job controller and a node would. */
function completeJobs(bench: HelmBench): void {
  const api = bench.cluster.client.resource(jobs).namespace(namespace);
  const stop = new AbortController();
  const now = new Date().toISOString();
  const condition = (type: string) => ({ type, status: "True", lastTransitionTime: now });
  const complete = async ({ metadata, status }: Job) => {
    if (status?.succeeded) return;
    const conditions = ["SuccessCriteriaMet", "Complete"].map(condition);
    const done = { startTime: now, completionTime: now, succeeded: 1, conditions };
    await api
      .patch(metadata?.name ?? "", { status: done }, { type: "merge", subresource: "status" })
      .catch(() => {});
  };
  const run = async () => {
    for await (const event of api.watch({ signal: stop.signal })) {
      if (event.type === "ADDED" || event.type === "MODIFIED") await complete(event.object);
    }
  };
  const running = run().catch(() => {});
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
}

async function end(bench: HelmBench, operation: string): Promise<void> {
  if (operation === "uninstall") {
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await revisions(bench)).toEqual([]);
    await expect(bench.deployment("shop")).rejects.toThrow("not found");
    return;
  }
  const isRefused = operation === "rollback";
  await patiently(async () => {
    const object = await bench.get("shop");
    const conditions = conditionsOf(object);
    const failed = isRefused ? "True" : "False";
    expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", `ReleaseFailed=${failed}`]));
    // The new operator writes this, if the killed one did not get to it.
    expect(object.status?.deployedRelease?.manifest).toContain("replicas: 2\n");
    const history = await revisions(bench);
    expect(history[0]).toMatch(/ deployed$/);
    expect(history.filter((each) => each.endsWith(" deployed"))).toHaveLength(1);
    const deployment = await bench.deployment("shop");
    expect(deployment.spec?.replicas).toBe(2);
    expect(deployment.metadata?.ownerReferences).toMatchObject([{ kind: "Web", name: "shop" }]);
  });
}

/** Starts an operator, and brings the object to the point where the operation comes next. */
async function begin(operation: string, hangs: string) {
  const bench = await startHelmBench();
  const processes = await operatorProcesses(bench, files);
  const { before, now = {} } = stories[operation] ?? {};
  const operator = await processes.start();
  if (before) {
    await bench.create("shop", { ...before, hangs });
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
  }
  const change = async () => {
    if (operation === "uninstall") await bench.remove("shop");
    else if (before) await bench.change("shop", now);
    else await bench.create("shop", { ...now, hangs });
  };
  return { bench, processes, operator, change };
}

const operations = ["install", "upgrade", "rollback", "uninstall"] as const;

test.each(
  operations.flatMap((operation) => (["before", "after"] as const).map((when) => [when, operation] as const)),
)(
  "resumes after the operator is killed %s helm's %s",
  async (when, operation) => {
    const { bench, processes, operator, change } = await begin(operation, "none");
    const moment: Moment = `${when}-${operation}`;
    await processes.stopAt(moment);
    await change();
    await processes.stoppedAt(moment);
    await operator.kill();
    const next = await processes.start();
    await end(bench, operation);
    expect(await next.stop()).toBe(0);
  },
  longTimeout,
);

test.each(operations)(
  "resumes after the operator and its helm are killed during %s",
  async (operation) => {
    const { hook, pending } = stories[operation] ?? {};
    const { bench, processes, operator, change } = await begin(operation, hook ?? "");
    await change();
    await patiently(async () => expect((await revisions(bench))[0]).toBe(pending));
    await operator.kill();
    completeJobs(bench);
    const next = await processes.start();
    await end(bench, operation);
    expect(await next.stop()).toBe(0);
  },
  longTimeout,
);

test.each(["install", "upgrade"])(
  "waits for a helm that outlives its operator during %s",
  async (operation) => {
    const { hook, pending } = stories[operation] ?? {};
    const { bench, processes, operator, change } = await begin(operation, hook ?? "");
    await change();
    await patiently(async () => expect((await revisions(bench))[0]).toBe(pending));
    await operator.killAlone();
    const before = await operator.operations();
    const next = await processes.start(330_000);
    // Behind it in the controller's queue.
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect((await revisions(bench))[0]).toBe(pending);
    completeJobs(bench);
    await end(bench, operation);
    const later = (await next.operations()).slice(before.length);
    expect(later.filter((each) => each !== "dry-run" && each !== "version")).toEqual(["install"]);
    expect(await next.stop()).toBe(0);
  },
  longTimeout,
);
