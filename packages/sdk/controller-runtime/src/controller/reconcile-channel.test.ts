import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TerminalError } from "../reconcile/terminal-error.ts";
import type { ReconcileMessage } from "./reconcile-channel.ts";
import { startController as start } from "./testing/start-controller.ts";

let messages: ReconcileMessage[] = [];
const listen = (message: unknown) => void messages.push(message as ReconcileMessage);
beforeEach(() => {
  messages = [];
  subscribe("operator-path:reconcile:done", listen);
});
afterEach(() => unsubscribe("operator-path:reconcile:done", listen));

test("publishes each reconcile with its cause, duration and result", async () => {
  const { clock, source } = await start(async ({ name }) => {
    await clock.sleep(30);
    if (name === "later") return { requeueAfter: 60_000 };
    if (name === "broken") throw new TerminalError(new Error("no such image"));
    return undefined;
  });
  const begun = clock.now();
  const cause = { trigger: "updated", resource: "Deployment", object: "shop/web" } as const;
  source.add({ namespace: "shop", name: "web" }, { cause });
  await clock.advance(40);
  source.add({ namespace: "shop", name: "later" });
  await clock.advance(40);
  source.add({ namespace: "shop", name: "broken" });
  await clock.advance(40);
  expect(messages[0]).toMatchObject({ key: "shop/web", cause, at: begun, duration: 30, result: "success" });
  expect(messages.slice(1)).toMatchObject([
    { key: "shop/later", result: "requeue_after" },
    { key: "shop/broken", result: "terminal_error", error: expect.stringContaining("no such image") },
  ]);
});
