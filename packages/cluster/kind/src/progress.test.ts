import { expect, it } from "vitest";
import { createProgress, type KindEvent, showProgress } from "./progress.ts";

/** The output of kind 0.33 without a terminal. */
const output = `using podman due to KIND_EXPERIMENTAL_PROVIDER
Creating cluster "dev" ...
 • Ensuring node image (kindest/node:v1.36.4) 🖼  ...
 ✓ Ensuring node image (kindest/node:v1.36.4) 🖼
 • Preparing nodes 📦 📦   ...
 ✓ Preparing nodes 📦 📦 
 • Starting control-plane 🕹️  ...
 ✗ Starting control-plane 🕹️
ERROR: failed to create cluster: failed to init node with kubeadm
Command Output: I1122 initconfiguration.go
`;

function eventsOf(lines: readonly string[]): KindEvent[] {
  const events: KindEvent[] = [];
  let now = 0;
  const progress = createProgress(
    (event) => events.push(event),
    () => now,
  );
  for (const line of lines) {
    progress.line(line);
    now += 1250;
  }
  return events;
}

it("reports the steps with their times, without icons, and nothing after the error", () => {
  expect(eventsOf(output.split("\n"))).toEqual([
    { type: "note", text: 'Creating cluster "dev"' },
    { type: "begun", step: "Ensuring node image (kindest/node:v1.36.4)" },
    { type: "done", step: "Ensuring node image (kindest/node:v1.36.4)", seconds: 1.3 },
    { type: "begun", step: "Preparing nodes" },
    { type: "done", step: "Preparing nodes", seconds: 1.3 },
    { type: "begun", step: "Starting control-plane" },
    { type: "failed", step: "Starting control-plane", seconds: 1.3 },
  ]);
});

it("reports neither kind's thanks nor its hints", () => {
  const lines = [
    'Set kubectl context to "kind-dev"',
    "You can now use your cluster with:",
    "",
    "Have a nice day! 👋",
  ];
  expect(eventsOf(lines)).toEqual([]);
});

function shown(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): string {
  let text = "";
  const show = showProgress({ ...stream, write: (part) => (text += part) }, env);
  show({ type: "note", text: "Creating cluster" });
  show({ type: "begun", step: "Preparing nodes" });
  show({ type: "done", step: "Preparing nodes", seconds: 4.25 });
  show({ type: "begun", step: "Starting control-plane" });
  show({ type: "failed", step: "Starting control-plane", seconds: 10 });
  return text;
}

const plain = "  Creating cluster\n  ✓ Preparing nodes  4.3 s\n  ✗ Starting control-plane  10.0 s\n";

it("is one line per step without a terminal, and in CI", () => {
  expect(shown({}, {})).toBe(plain);
  expect(shown({ isTTY: true }, { CI: "true", NO_COLOR: "1" })).toBe(plain);
  expect(shown({ isTTY: true }, { TERM: "dumb", NO_COLOR: "1" })).toBe(plain);
});

it("shows the current step on a terminal, on a line that is removed again", () => {
  const text = shown({ isTTY: true, columns: 20 }, { NO_COLOR: "1" });
  expect(text).toContain("\r\u001b[K  ⠋ Preparing nodes\r\u001b[K  ✓ Preparing nodes  4.3 s\n");
  expect(shown({ isTTY: true }, {})).toContain("\u001b[32m✓\u001b[39m Preparing nodes");
});
