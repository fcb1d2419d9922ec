import { once } from "node:events";
import { connect } from "node:net";
import { type Duplex, PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { ProcessContext } from "../runtime/contracts.ts";
import { createPodPorts } from "./pod-ports.ts";

/**
 * Creates the ports of a Pod whose neighbours echo their input.
 * @returns its ports, and the far ends of its connections
 */
function pod() {
  const far: Duplex[] = [];
  const network = {
    dial: async () => {
      const end = new PassThrough();
      far.push(end);
      return end;
    },
  };
  return { far, ports: createPodPorts({ network } as unknown as ProcessContext) };
}
const dial = async (ports: ReturnType<typeof createPodPorts>) =>
  (await ports.answer({ id: 1, ask: "dial", host: "web", port: 80 })) as { ok: boolean; port: number };

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const open = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return open;
}
const listeners = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

it("accepts one connection, and then stops listening", async () => {
  const { ports } = pod();
  const { port } = await dial(ports);
  const socket = connect(port, "127.0.0.1");
  socket.end("hello");
  const [chunk] = await once(socket, "data");
  expect(String(chunk)).toBe("hello");
  expect(await isOpen(port)).toBe(false);
});

it("closes the listeners of 50 unused connections when the process has ended", async () => {
  const before = listeners();
  const { ports, far } = pod();
  await Promise.all(Array.from({ length: 50 }, () => dial(ports)));
  expect(listeners()).toBe(before + 50);
  ports.close();
  await until(() => listeners() === before && far.every((end) => end.destroyed));
});

it("closes listeners when the other end closes, and after a timeout", async () => {
  const before = listeners();
  const { ports, far } = pod();
  await Promise.all(Array.from({ length: 50 }, () => dial(ports)));
  for (const end of far.slice(0, 20)) end.destroy();
  for (const end of far.slice(20, 40)) end.destroy(new Error("reset"));
  await until(() => listeners() === before + 10);
  await until(() => listeners() === before);
  expect(far.every((end) => end.destroyed)).toBe(true);
});
