import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const program = `
  import { setupSignalHandler } from ${JSON.stringify(join(import.meta.dirname, "signals.ts"))};
  const signal = setupSignalHandler();
  signal.addEventListener("abort", () => console.log(signal.reason.message));
  setInterval(() => {}, 1_000);
  console.log("ready");
`;

function start() {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let onOutput: (() => void) | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
      onOutput?.();
    });
  }
  return {
    child,
    exit: new Promise<[number | null, string | null]>((resolve) =>
      child.on("close", (code, signal) => resolve([code, signal])),
    ),
    text: () => output,
    async says(text: string) {
      while (!output.includes(text)) await new Promise<void>((resolve) => (onOutput = resolve));
    },
  };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s aborts, and a second signal ends the process with exit code 1",
  async (name) => {
    const { child, exit, says, text } = start();
    await says("ready");
    child.kill(name);
    await says(`received ${name}`);
    child.kill("SIGTERM");
    expect(await exit).toEqual([1, null]);
    expect(text()).toContain("received SIGTERM again: ended without waiting");
  },
);
