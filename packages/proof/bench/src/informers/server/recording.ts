import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { cache } from "../objects/cache.ts";
import { goJson } from "../objects/go-json.ts";
import { pod } from "../objects/pod.ts";
import { createRandom } from "../objects/random.ts";

export const resources = {
  pods: { path: "/api/v1/pods", apiVersion: "v1", kind: "Pod", make: pod },
  caches: {
    path: "/apis/bench.example.com/v1/caches",
    apiVersion: "bench.example.com/v1",
    kind: "Cache",
    make: cache,
  },
} as const;

export type ResourceName = keyof typeof resources;

/**
 * The version of the first object; each later one has the next. Seven digits, so that one can overwrite
 * another.
 */
export const firstVersion = 1_000_001;
/** The version of the list and of the bookmark that ends the initial events. */
export const listVersion = 1_999_999;
/** The version of the first event after that. */
export const firstEventVersion = 2_000_001;

/** The bytes of a resource's objects, one after the other, as a watch sends them. */
export interface Recording {
  readonly resource: ResourceName;
  readonly count: number;
  readonly bytes: Buffer;
  /** The start of each object, and the end of the last one. */
  readonly starts: Uint32Array;
  /** The position in `bytes` of the digits of each object's resourceVersion. */
  readonly versions: Uint32Array;
}

/** Writes a file of JSON lines. The same number writes the same file. */
export async function writeRecording(file: string, resource: ResourceName, count: number): Promise<void> {
  const random = createRandom(5);
  const { make } = resources[resource];
  const out = createWriteStream(file);
  for (let index = 0; index < count; index++) {
    const namespace = `team-${random.below(40)}`;
    const object = make(random, index, namespace, String(firstVersion + index));
    if (!out.write(`${goJson(object)}\n`)) await once(out, "drain");
  }
  out.end();
  await finished(out);
}

/** Reads the first `count` objects of a file. */
export async function readRecording(file: string, resource: ResourceName, count: number): Promise<Recording> {
  const starts = new Uint32Array(count + 1);
  const versions = new Uint32Array(count);
  const parts: Buffer[] = [];
  let index = 0;
  let read = 0;
  for await (const part of createReadStream(file, { highWaterMark: 1 << 22 }) as AsyncIterable<Buffer>) {
    for (let at = part.indexOf(10); at >= 0 && index < count; at = part.indexOf(10, at + 1)) {
      index++;
      starts[index] = read + at + 1;
    }
    parts.push(part);
    read += part.length;
    if (index === count) break;
  }
  if (index < count) throw new Error(`${file} holds ${index} objects, ${count} are needed`);
  const bytes = Buffer.concat(parts);
  const name = '"resourceVersion":"';
  for (let each = 0; each < count; each++) versions[each] = bytes.indexOf(name, starts[each]) + name.length;
  return { resource, count, bytes, starts, versions };
}
