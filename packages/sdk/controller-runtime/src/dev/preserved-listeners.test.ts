import { expect, test } from "vitest";
import { createPreservedListeners } from "./preserved-listeners.ts";

/** Sockets that record whether they are open. */
function sockets() {
  const open: string[] = [];
  return {
    open,
    socket(name: string) {
      open.push(name);
      return { close: () => void open.splice(open.indexOf(name), 1) };
    },
  };
}

test("preserves a socket for the next process, and closes it when unclaimed", () => {
  const { open, socket } = sockets();
  const listeners = createPreservedListeners();
  const metrics = socket("metrics");
  listeners.keep(":9443 0", socket("webhooks"));
  listeners.keep(":8080 0", metrics);
  listeners.closeUnclaimed();
  expect(open).toEqual(["metrics", "webhooks"]);

  listeners.releaseClaims();
  expect(listeners.claim(":8080 0")).toBe(metrics);
  // The webhooks have moved to another port.
  expect(listeners.claim(":9444 0")).toBeUndefined();
  listeners.keep(":9444 0", socket("moved webhooks"));
  listeners.closeUnclaimed();
  expect(open).toEqual(["metrics", "moved webhooks"]);

  listeners.close();
  expect(open).toEqual([]);
  expect(listeners.claim(":8080 0")).toBeUndefined();
});

test("a new socket replaces the old one at the same address", () => {
  const { open, socket } = sockets();
  const listeners = createPreservedListeners();
  listeners.keep(":9443 0", socket("first"));
  listeners.keep(":9443 0", socket("second"));
  expect(open).toEqual(["second"]);
});
