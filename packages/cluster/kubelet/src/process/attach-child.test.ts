import { PassThrough } from "node:stream";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, it } from "vitest";
import { createOutput } from "./attach-child.ts";

const collect = () => {
  const taken: string[] = [];
  return { taken, take: (chunk: Uint8Array) => void taken.push(Buffer.from(chunk).toString()) };
};

it("ends with the pipes, after a slow reader has taken all output", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { promise: reader, resolve: read } = Promise.withResolvers<void>();
  const { taken, take } = collect();
  output.forward(pipe, async (chunk) => {
    await reader;
    take(chunk);
  });
  pipe.write("one");
  pipe.end("two");
  const clock = createFakeClock();
  let over = false;
  const ended = output.ended(clock).then(() => (over = true));
  for (let i = 0; i < 5; i++) await clock.advance(1000);
  expect(over).toBe(false);
  read();
  await ended;
  expect(taken.join("")).toBe("onetwo");
});

it("does not wait for a silent pipe that another process holds open", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { taken, take } = collect();
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
  expect(taken).toEqual(["last words"]);
});

it("does not wait for another process that keeps writing to a pipe", async () => {
  const output = createOutput();
  const pipe = new PassThrough();
  const { taken, take } = collect();
  output.forward(pipe, take);
  const clock = createFakeClock();
  let over = false;
  const ended = output.ended(clock).then(() => (over = true));
  for (let i = 0; i < 20 && !over; i++) {
    pipe.write("still here ");
    await clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(over).toBe(true);
  await ended;
  expect(taken.length).toBeGreaterThan(1);
  expect(pipe.destroyed).toBe(true);
});
