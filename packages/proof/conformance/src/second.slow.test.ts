import { systemClock } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { play } from "./play.ts";
import { formatOutcome } from "./report/terminal.ts";
import { runScripts } from "./run.ts";
import { allScripts } from "./scripts/scripts.ts";
import type { Target } from "./target.ts";
import { startOurs } from "./targets/ours.ts";

// Times have whole seconds in Kubernetes, and some answers depend on whether two requests fell into the same one. A script in
// which they do passes on a quiet machine and fails on a busy one, and says nothing about either server.

test("no answer depends on the second in which a request comes", { timeout: 300_000 }, async () => {
  const mistakes: string[] = [];
  const still = await startWithClock(0, mistakes);
  const running = await startWithClock(250, mistakes);
  const outcomes = await runScripts(allScripts(), still, (script) => play(script, running));
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
  expect(mistakes).toEqual([]);
});

/** A server whose clock goes on by so many milliseconds with each request; six scripts are played at a time. */
async function startWithClock(perRequest: number, mistakes: string[]): Promise<Target> {
  let now = Date.now();
  const target = await startOurs((line) => mistakes.push(line), {
    clock: { ...systemClock, now: () => now },
  });
  onTestFinished(() => target.stop());
  const send: Target["send"] = (request) => {
    now += perRequest;
    return target.send(request);
  };
  return { ...target, send };
}
