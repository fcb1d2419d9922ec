import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@operator-path/client";
import { createJsonPatch } from "../admission/json-patch.ts";
import type { Converter } from "./converter.ts";

/**
 * Converts an object to each other version and back, for tests. A round trip must not lose data. A missing
 * object and an empty one (`{}`) count as equal, as in Go with `omitempty`.
 *
 * @throws Error naming the version and the differences
 */
export async function checkRoundTrip(converter: Converter, object: KubeObject): Promise<void> {
  for (const apiVersion of converter.apiVersions) {
    if (apiVersion === object.apiVersion) continue;
    const there = await converter.convert(object, apiVersion);
    const back = await converter.convert(there, object.apiVersion ?? "");
    const [before, after] = [object, back].map(
      (each): KubeObject => JSON.parse(JSON.stringify(each), withoutEmpty),
    );
    if (!before || !after || isDeepStrictEqual(before, after)) continue;
    const differences = createJsonPatch(before, after).map((operation) => JSON.stringify(operation));
    throw new Error(
      `${object.kind} of ${object.apiVersion} changes in a round trip through ${apiVersion}:\n${differences.join("\n")}\nbefore: ${JSON.stringify(before)}\nthere: ${JSON.stringify(there)}`,
    );
  }
}

/** A reviver for JSON.parse that drops fields with an empty object. List items stay. */
function withoutEmpty(this: unknown, _: string, value: unknown): unknown {
  const isEmpty =
    typeof value === "object" && value !== null && !Array.isArray(value) && !Object.keys(value).length;
  return isEmpty && !Array.isArray(this) ? undefined : value;
}

/** Configures `fuzzRoundTrip`. */
export interface FuzzOptions {
  /** Creates an object of any version from random numbers in [0, 1). */
  generate(random: () => number): KubeObject;
  /** The number of objects. Default 200. */
  runs?: number | undefined;
  /** Repeats a run. Default: a random seed. */
  seed?: number | undefined;
}

/**
 * Calls `checkRoundTrip` with many generated objects, like Go's fuzz tests of conversions. With fast-check,
 * call `checkRoundTrip` in a property instead, which shrinks failures.
 *
 * @throws Error with the seed that repeats the failure
 */
export async function fuzzRoundTrip(converter: Converter, options: FuzzOptions): Promise<void> {
  const { generate, runs = 200, seed = Math.floor(Math.random() * 2 ** 32) } = options;
  const random = seeded(seed);
  for (let run = 0; run < runs; run++) {
    try {
      await checkRoundTrip(converter, generate(random));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`run ${run} of seed ${seed}: ${why}`, { cause });
    }
  }
}

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
