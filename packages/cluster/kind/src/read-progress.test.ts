import { expect, it } from "vitest";
import type { KindEvent } from "./kind-event.ts";
import { createProgress } from "./read-progress.ts";

/** What kind 0.33 writes without a terminal. */
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

it("tells the steps with their times, without icons, and nothing after the error", () => {
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

it("says nothing of thanks and of what to type, which others say", () => {
  const lines = [
    'Set kubectl context to "kind-dev"',
    "You can now use your cluster with:",
    "",
    "Have a nice day! 👋",
  ];
  expect(eventsOf(lines)).toEqual([]);
});
