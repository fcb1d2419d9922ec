import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

test("never calls process.exit, as dot-i does: failed watches continue, and fatal failures reject", async () => {
  const program = join(import.meta.dirname, "testing/failing-operator.ts");
  const child = spawn(process.execPath, ["--conditions=@operator-path/source", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  expect(errors).toBe("");
  expect(output.trim().split("\n")).toEqual([
    "watches fail, the manager keeps running",
    "a failing runnable: rejected: out of order",
    "an unusable address: rejected: the health probe server cannot listen on 192.0.2.1",
    "still here",
  ]);
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});
