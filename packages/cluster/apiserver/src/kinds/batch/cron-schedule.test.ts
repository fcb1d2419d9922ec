import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";
import { scheduleProblem } from "./cron-schedule.ts";

// Messages of ParseStandard of robfig/cron v3.0.1.
test.each([
  ["61 * * * *", "end of range (61) above maximum (59): 61"],
  ["0-59/0 * * * *", "step of range should be a positive number: 0-59/0"],
  ["* 24 * * *", "end of range (24) above maximum (23): 24"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["30-10 * * * *", "beginning of range (30) beyond end of range (10): 30-10"],
  ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["*/-1 * * * *", "negative number (-1) not allowed: -1"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["1/2/3 * * * *", "too many slashes: 1/2/3"],
  [
    "99999999999999999999 * * * *",
    'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  ["* * * jan-foo *", 'failed to parse int from foo: strconv.Atoi: parsing "foo": invalid syntax'],
  ["* * * * 7", "end of range (7) above maximum (6): 7"],
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["@often", "unrecognized descriptor: @often"],
  ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
])("rejects %j", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test.each([
  "* * * * *",
  "*/5 0-23/2 1,15 JAN-mar mon-Fri",
  "5/10 ? ? * 0",
  "0,30 * * * *",
  "@daily",
  "@every 1h30m",
  " 0  0 * * * ",
])("accepts %j", (schedule) => {
  expect(scheduleProblem(schedule)).toBeUndefined();
});

test("rejects a CronJob with an invalid schedule", async () => {
  const server = await startTestServer();
  const containers = [{ name: "a", image: "busybox" }];
  const template = { spec: { restartPolicy: "Never", containers } };
  const answer = await server.request("POST", "/apis/batch/v1/namespaces/default/cronjobs", {
    body: {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "a" },
      spec: { schedule: "61 * * * *", jobTemplate: { spec: { template } } },
    },
  });
  expect(answer.status).toBe(422);
  expect(answer.json()).toMatchObject({
    message:
      'CronJob.batch "a" is invalid: spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
  });
});
