import { expect, test } from "vitest";
import { createQueue } from "./queue.ts";

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

test("yields items in order, and reports each one that is read", async () => {
  const read: number[] = [];
  const queue = createQueue<number>({ onRead: (item) => read.push(item) });
  for (const item of [1, 2, 3]) queue.push(item);
  queue.end();
  queue.push(4);
  expect(await all(queue.items)).toEqual([1, 2, 3]);
  expect(read).toEqual([1, 2, 3]);
});

test("keeps the newest item when it keeps one", async () => {
  const queue = createQueue<number>({ keep: 1 });
  for (let item = 0; item < 1000; item++) queue.push(item);
  queue.end();
  expect(await all(queue.items)).toEqual([999]);
});
