import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * Records the writes to the servers of this process by user agent, when they arrive and when they are
 * answered.
 */
export interface WriteAudit {
  /**
   * Returns each agent once, in the order of their first writes.
   *
   * @throws Error when one has written after the next began
   */
  turns(agents: RegExp): string[];
  /** Returns the number of answered writes that match, by method and path. */
  count(what: RegExp): number;
  stop(): void;
}

export function auditWrites(): WriteAudit {
  const seen: { agent: string; what: string; isAnswered: boolean }[] = [];
  const note = (message: unknown, channel: string | symbol): void => {
    const { method, url, headers } = (message as { request: IncomingMessage }).request;
    if (method === "GET") return;
    seen.push({
      agent: headers["user-agent"] ?? "",
      what: `${method} ${url}`,
      isAnswered: channel === answered,
    });
  };
  const answered = "http.server.response.finish";
  const channels = ["http.server.request.start", answered];
  for (const channel of channels) subscribe(channel, note);
  return {
    turns(agents) {
      const order: string[] = [];
      for (const { agent, what } of seen) {
        if (!agents.test(agent) || order.at(-1) === agent) continue;
        if (order.includes(agent)) throw new Error(`${agent}: ${what}, after ${order.at(-1)} has written`);
        order.push(agent);
      }
      return order;
    },
    count: (pattern) => seen.filter(({ what, isAnswered }) => isAnswered && pattern.test(what)).length,
    stop() {
      for (const channel of channels) unsubscribe(channel, note);
    },
  };
}
