import { subscribe } from "node:diagnostics_channel";
import type { Channel } from "./channel.ts";

/** Reports each key that a work queue of this process hands out, so that a test can see whether a controller rests. */
export function reportReconciles(channel: Channel): void {
  subscribe("operator-path:workqueue:taken", (message) => {
    const { queue, key } = message as { queue: string; key: string };
    channel.tell({ ask: "reconciled", queue, key });
  });
}
