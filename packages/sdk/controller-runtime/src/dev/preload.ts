import { close, open } from "node:inspector";
import { installDevHost } from "./host.ts";
import type { FromOperator, ToOperator } from "./messages.ts";
import { insideOf, recordModules } from "./module-records.ts";
import { createOperatorHost } from "./operator-host.ts";
import { supervised } from "./supervised.ts";

// Loaded before the operator's main file, which Node does not read before this module has ended.
if (process.env[supervised] && process.send) await prepare();

async function prepare(): Promise<void> {
  // Of this process alone: what it starts is not supervised.
  delete process.env[supervised];
  const listeners: ((message: ToOperator, handle: unknown) => void)[] = [];
  process.on("message", (message: ToOperator, handle: unknown) => {
    for (const listener of [...listeners]) listener(message, handle);
  });
  // The supervisor has died: its operator must not go on unseen.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  const send = (message: FromOperator, handle?: unknown) => {
    if (process.connected) process.send?.(message, handle as never, {}, () => {});
  };
  const heard = <T extends ToOperator["type"]>(type: T) =>
    new Promise<Extract<ToOperator, { type: T }>>((resolve) =>
      listeners.push((message) => {
        if (message.type === type) resolve(message as Extract<ToOperator, { type: T }>);
      }),
    );

  let holds = 0;
  function hold(): () => void {
    if (++holds === 1) process.channel?.ref();
    return () => {
      // Whether the process goes on is the operator's business.
      if (--holds === 0) process.channel?.unref();
    };
  }

  const release = hold();
  const start = heard("start");
  const { identity, folders, modules } = await heard("prepare");
  const onMessage = (listener: (typeof listeners)[number]) => void listeners.push(listener);
  installDevHost(createOperatorHost(identity, { send, hold, onMessage }));
  const records = recordModules(insideOf(folders), {
    loading: (path) => send({ type: "loading", path }),
    imported: (url) => send({ type: "imported", url }),
  });
  // In the operator's own order. One that fails here fails again, and is told of, when the operator imports it.
  for (const url of modules) await import(url).catch(() => {});
  send({ type: "prepared", files: records.versions() });
  openInspector((await start).inspect);
  release();
}

/** Not before the old process has gone: there is one port. */
function openInspector(port: number | undefined): void {
  if (port === undefined) return;
  open(port, "127.0.0.1");
  // Otherwise Node waits at the end until the debugger has left.
  process.once("exit", () => close());
}
