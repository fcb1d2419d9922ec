import { getEventListeners } from "node:events";
import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createContainerLog, type LogOptions } from "./container-log.ts";

async function text(log: ReturnType<typeof createContainerLog>, options: LogOptions = {}): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.read(options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it("returns the written lines however they were split, and their tail", async () => {
  const line = fc.stringMatching(/^[a-z ]{0,8}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.nat(5),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
      async (lines, tailLines, cuts) => {
        const log = createContainerLog(createFakeClock());
        const whole = lines.map((each) => `${each}\n`).join("");
        for (let at = 0, i = 0; at < whole.length; i++) {
          const size = cuts[i % cuts.length] as number;
          log.write("stdout", Buffer.from(whole.slice(at, at + size)));
          at += size;
        }
        expect(await text(log)).toBe(whole);
        const wanted = lines
          .slice(Math.max(0, lines.length - tailLines))
          .map((each) => `${each}\n`)
          .join("");
        expect(await text(log, { tailLines })).toBe(tailLines === 0 ? "" : wanted);
      },
    ),
  );
});

it("returns only lines since a time", async () => {
  const clock = createFakeClock();
  const log = createContainerLog(clock);
  log.write("stdout", Buffer.from("old\n"));
  await clock.advance(10_000);
  log.write("stderr", Buffer.from("new\n"));
  expect(await text(log, { sinceSeconds: 5 })).toBe("new\n");
  expect(await text(log, { sinceTime: new Date(clock.now()).toISOString() })).toBe("new\n");
});

it("drops the oldest lines when it is full", async () => {
  const log = createContainerLog(createFakeClock(), 220);
  for (let i = 0; i < 5000; i++) log.write("stdout", Buffer.from(`line ${i}\n`));
  expect(await text(log)).toBe("line 4998\nline 4999\n");
});

it("ends a follower when the container or the client ends", async () => {
  const log = createContainerLog(createFakeClock());
  const followed = text(log, { follow: true });
  const disconnected = new AbortController();
  const endedByClient = text(log, { follow: true, signal: disconnected.signal });
  log.write("stdout", Buffer.from("a\n"));
  await new Promise((resolve) => setImmediate(resolve));
  disconnected.abort();
  expect(await endedByClient).toBe("a\n");
  log.write("stdout", Buffer.from("b\n"));
  log.end();
  expect(await followed).toBe("a\nb\n");
});

it("ends at the last line before the request, even if the program keeps writing", async () => {
  const log = createContainerLog(createFakeClock());
  log.write("stdout", Buffer.from("one\ntwo\n"));
  let text = "";
  for await (const chunk of log.read({})) {
    text += Buffer.from(chunk).toString();
    log.write("stdout", Buffer.from("more\n"));
  }
  expect(text).toBe("one\ntwo\n");
});

it("returns every requested line, even if the program's output drops them meanwhile", async () => {
  const log = createContainerLog(createFakeClock(), 1_000_000);
  const line = Buffer.from(`${"x".repeat(999)}\n`);
  for (let i = 0; i < 500; i++) log.write("stdout", line);
  let size = 0;
  for await (const chunk of log.read({})) {
    size += chunk.length;
    for (let i = 0; i < 100; i++) log.write("stdout", line);
  }
  expect(size).toBe(500_000);
});

it("adds no listener per line to a reader's signal", async () => {
  const log = createContainerLog(createFakeClock());
  const { signal } = new AbortController();
  const reading = log.read({ follow: true, signal })[Symbol.asyncIterator]();
  for (let i = 0; i < 50; i++) {
    const next = reading.next();
    log.write("stdout", Buffer.from("line\n"));
    await next;
  }
  expect(getEventListeners(signal, "abort").length).toBeLessThan(2);
});
