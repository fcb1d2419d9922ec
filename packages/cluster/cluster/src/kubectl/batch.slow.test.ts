// Jobs and CronJobs with a real kubectl.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
});
afterAll(() => bench.stop());

const words = (text: string): string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(/ {2,}/).join(" | "));

it("a Job: create, wait, logs, get, describe, delete", async () => {
  expect(await bench.ok("create job hello --image=busybox -- sh -c 'echo hello'")).toBe(
    "job.batch/hello created\n",
  );
  expect(await bench.ok("wait --for=condition=complete job/hello --timeout=50s")).toBe(
    "job.batch/hello condition met\n",
  );
  expect(await bench.ok("logs job/hello")).toBe("hello\n");
  expect(words(await bench.ok("get job hello"))[1]).toMatch(/^hello \| Complete \| 1\/1 \| /);
  expect(await bench.ok("get pods -l job-name=hello --no-headers")).toMatch(
    /^hello-[a-z0-9]{5} +0\/1 +Completed +0 /,
  );
  const described = await bench.ok("describe job hello");
  expect(described).toMatch(/^Pods Statuses: +0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed$/m);
  expect(described).toMatch(/Normal +SuccessfulCreate .* job-controller +Created pod: hello-/);
  expect(described).toMatch(/Normal +Completed .* job-controller +Job completed/);
  await bench.ok("delete job hello");
  expect(await bench.ok("get pods -l job-name=hello -o name")).toBe("");
});

it("a failing Job reports it, up to its backoff limit", async () => {
  await bench.ok(
    "apply -f -",
    `apiVersion: batch/v1
kind: Job
metadata: {name: broken}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: ["false"]}]}}}`,
  );
  await bench.ok("wait --for=condition=failed job/broken --timeout=50s");
  expect(words(await bench.ok("get job broken"))[1]).toMatch(/^broken \| Failed \| 0\/1 \| /);
  expect(await bench.ok("describe job broken")).toContain("Warning  BackoffLimitExceeded");
});

it("a CronJob: create, suspend, a manual Job", async () => {
  expect(await bench.ok("create cronjob tick --image=busybox '--schedule=*/5 * * * *' -- echo tock")).toBe(
    "cronjob.batch/tick created\n",
  );
  expect(words(await bench.ok("get cronjob tick"))[1]).toMatch(
    /^tick \| \*\/5 \* \* \* \* \| <none> \| False \| 0 \| <none> \| /,
  );
  await bench.ok("create job by-hand --from=cronjob/tick");
  await bench.ok("wait --for=condition=complete job/by-hand --timeout=50s");
  expect(await bench.ok("logs job/by-hand")).toBe("tock\n");
  expect(await bench.refused("create cronjob bad --image=busybox --schedule=often -- date")).toContain(
    "expected exactly 5 fields, found 1: [often]",
  );
});

it("no request was answered by a failure of the server", () => {
  expect(bench.failures).toEqual([]);
});
