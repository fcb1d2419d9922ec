import type { Clock } from "@operator-path/client";
import { createSlabs, type Slab, type Slabs, type StoredBytes } from "../slabs.ts";
import { createColdCodec, shapesOf } from "./cold-codec.ts";
import { createCooler } from "./cooler.ts";

export interface ColdSlabsOptions {
  clock: Clock;
  /** Milliseconds after which stored bytes are compressed. Infinity: never. */
  coldAfter: number;
}

export interface ColdSlabs extends Slabs {
  /** Stops all compression and clears the timer. Stored bytes stay readable. */
  stop(): void;
}

/**
 * Returns slabs that compress unchanged objects in the background. A read of a compressed object takes a few
 * microseconds longer; parsing it takes tens.
 *
 * The first cold objects provide the dictionary for all. If it compresses later objects poorly, those provide
 * a new one. Two kinds of objects are never compressed: those too large to share a slab, and the newest ones
 * until their slab is full.
 */
export function createColdSlabs({ clock, coldAfter }: ColdSlabsOptions): ColdSlabs {
  let cold: ReturnType<typeof createCold> | undefined;
  /** Bytes since the last check of the ratio, before and after compression. */
  let given = 0;
  let made = 0;
  let checkAfter = firstCheck;
  const cooler = createCooler<StoredBytes>(cool, { clock, rest: coldAfter });
  const filled = (slab: Slab) => cooler.add(slab.kept);
  const { keep } = createSlabs(Number.isFinite(coldAfter) ? { filled } : {});

  function cool(kept: StoredBytes): number {
    const { slab, at, length } = kept;
    if (kept.isReleased) return 0;
    kept.beforeCold?.();
    cold ??= createCold(slab);
    const bytes = cold.codec.compress(slab.bytes.subarray(at, at + length));
    cold.slabs.keep(bytes, { from: 0, to: bytes.length, cutFrom: 0, cutTo: 0 }, kept);
    given += length;
    made += bytes.length;
    if (given >= checkAfter) checkRatio();
    return length;
  }

  /**
   * Replaces a dictionary that compresses poorly. The interval to the next check then grows, so that
   * incompressible objects do not cause one new dictionary after another.
   */
  function checkRatio(): void {
    if (made > given * poorRatio) {
      cold = undefined;
      checkAfter *= 4;
    }
    given = made = 0;
  }

  return { keep, stop: cooler.stop };
}

const firstCheck = 1024 * 1024;
const poorRatio = 0.4;

function createCold(like: Slab) {
  const codec = createColdCodec(shapesOf(samplesOf(like)));
  return { codec, slabs: createSlabs({ codec }) };
}

/** Picks a few objects from all over a slab: neighbours may share a namespace or an owner. */
function samplesOf({ bytes, kept }: Slab): Uint8Array[] {
  const step = Math.ceil(kept.length / 16);
  return kept.filter((_, i) => i % step === 0).map(({ at, length }) => bytes.subarray(at, at + length));
}
