import { systemClock } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { play } from "./play.ts";
import { formatOutcome } from "./report/terminal.ts";
import { runScripts } from "./run.ts";
import { allScripts } from "./scripts/scripts.ts";
import { startOurs, type Target } from "./target.ts";

// Times have whole seconds in Kubernetes. A script whose answers depend on whether two requests fall into the same
// second passes on a quiet machine and fails on a busy one.

test("no answer depends on the second of its request", async () => {
  const errors: string[] = [];
  const still = await startWithClock(0, errors);
  const running = await startWithClock(250, errors);
  const outcomes = await runScripts(allScripts(), still, (script) => play(script, running));
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
  expect(errors).toEqual([]);
});

/** Starts a server whose clock advances with each request. Six scripts are played at a time. */
async function startWithClock(perRequest: number, errors: string[]): Promise<Target> {
  let now = Date.now();
  const target = await startOurs((line) => errors.push(line), {
    clock: { ...systemClock, now: () => now },
  });
  onTestFinished(() => target.stop());
  const send: Target["send"] = (request) => {
    now += perRequest;
    return target.send(request);
  };
  return { ...target, send };
}
