import { PassThrough } from "node:stream";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, it } from "vitest";
import { createOutput } from "./attach-child.ts";

const collect = () => {
  const chunks: string[] = [];
  return { chunks, take: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk).toString()) };
};

it("ends with the pipes, after a slow reader has taken all output", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { promise: reader, resolve: read } = Promise.withResolvers<void>();
  const { chunks, take } = collect();
  output.forward(pipe, async (chunk) => {
    await reader;
    take(chunk);
  });
  pipe.write("one");
  pipe.end("two");
  const clock = createFakeClock();
  let isEnded = false;
  const ended = output.ended(clock).then(() => (isEnded = true));
  for (let i = 0; i < 5; i++) await clock.advance(1000);
  expect(isEnded).toBe(false);
  read();
  await ended;
  expect(chunks.join("")).toBe("onetwo");
});

it("does not wait for a silent pipe that another process holds open", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { chunks, take } = collect();
  output.forward(pipe, take);
  pipe.write("last words");
  const clock = createFakeClock();
  const ended = output.ended(clock);
  const moving = (async () => {
    for (let i = 0; i < 5; i++) {
      await clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await ended;
  await moving;
  expect(chunks).toEqual(["last words"]);
});

it("does not wait for another process that keeps writing to a pipe", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { chunks, take } = collect();
  output.forward(pipe, take);
  const clock = createFakeClock();
  let isEnded = false;
  const ended = output.ended(clock).then(() => (isEnded = true));
  for (let i = 0; i < 20 && !isEnded; i++) {
    pipe.write("still here ");
    await clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isEnded).toBe(true);
  await ended;
  expect(chunks.length).toBeGreaterThan(1);
  expect(pipe.destroyed).toBe(true);
});
