import { expect, test } from "vitest";
import { createKeptListeners } from "./kept-listeners.ts";

/** Sockets that say which of them are open. */
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

test("a socket is there for the next process that asks for it, and closed if it does not", () => {
  const { open, socket } = sockets();
  const listeners = createKeptListeners();
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

test("who listens anew takes the place of who listened before", () => {
  const { open, socket } = sockets();
  const listeners = createKeptListeners();
  listeners.keep(":9443 0", socket("first"));
  listeners.keep(":9443 0", socket("second"));
  expect(open).toEqual(["second"]);
});
