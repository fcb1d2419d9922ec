import { close, open } from "node:inspector";
import { installDevHost } from "./host.ts";
import type { FromOperator, ToOperator } from "./messages.ts";
import { insideOf, recordModules } from "./module-records.ts";
import { createOperatorHost } from "./operator-host.ts";
import { supervised } from "./supervised.ts";

// Loaded before the operator's main file. Node reads that only after this module has finished.
if (process.env[supervised] && process.send) await prepare();

async function prepare(): Promise<void> {
  // For this process only: its children are not supervised.
  delete process.env[supervised];
  const listeners: ((message: ToOperator, handle: unknown) => void)[] = [];
  process.on("message", (message: ToOperator, handle: unknown) => {
    for (const listener of [...listeners]) listener(message, handle);
  });
  // The supervisor died. Its operator must not keep running unnoticed.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  const send = (message: FromOperator, handle?: unknown) => {
    if (process.connected) process.send?.(message, handle as never, {}, () => {});
  };
  const nextMessage = <T extends ToOperator["type"]>(type: T) =>
    new Promise<Extract<ToOperator, { type: T }>>((resolve) =>
      listeners.push((message) => {
        if (message.type === type) resolve(message as Extract<ToOperator, { type: T }>);
      }),
    );

  let holds = 0;
  function hold(): () => void {
    if (++holds === 1) process.channel?.ref();
    return () => {
      // From here on the operator decides whether the process stays alive.
      if (--holds === 0) process.channel?.unref();
    };
  }

  const release = hold();
  const start = nextMessage("start");
  const { identity, folder, modules } = await nextMessage("prepare");
  const onMessage = (listener: (typeof listeners)[number]) => void listeners.push(listener);
  installDevHost(createOperatorHost(identity, { send, hold, onMessage }));
  const records = recordModules(insideOf([folder]), {
    loading: (path) => send({ type: "loading", path }),
    imported: (url) => send({ type: "imported", url }),
  });
  // In the operator's own order. A module that fails here fails again, and visibly, when the operator imports
  // it.
  for (const url of modules) await import(url).catch(() => {});
  send({ type: "prepared", files: records.versions() });
  openInspector((await start).inspect);
  release();
}

/** Not before the old process has ended: there is only one port. */
function openInspector(port: number | undefined): void {
  if (port === undefined) return;
  open(port, "127.0.0.1");
  // Otherwise Node waits for the debugger to disconnect before it exits.
  process.once("exit", () => close());
}
