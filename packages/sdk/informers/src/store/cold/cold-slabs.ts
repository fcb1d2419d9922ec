import type { Clock } from "@operator-path/client";
import { createSlabs, type Kept, type Slab, type Slabs } from "../slabs.ts";
import { createColdCodec } from "./cold-codec.ts";
import { createCooler } from "./cooler.ts";
import { shapesOf } from "./sample-shapes.ts";

export interface ColdSlabsOptions {
  clock: Clock;
  /** Milliseconds after which what is kept is compressed. Infinity: never. */
  coldAfter: number;
}

export interface ColdSlabs extends Slabs {
  /** Compresses nothing from here on, and leaves no timer. What is kept stays readable. */
  stop(): void;
}

/**
 * Slabs whose objects are compressed, in the background, when they have not changed for some time. To read one costs a
 * few microseconds more then, of the tens that parsing it costs.
 *
 * What the first objects that have grown cold have in common makes the dictionary for all; when it does little for others,
 * another is made of those. Objects too large to share a slab, and the last
 * ones, as long as their slab has room, are left as they are.
 */
export function createColdSlabs({ clock, coldAfter }: ColdSlabsOptions): ColdSlabs {
  let cold: ReturnType<typeof createCold> | undefined;
  /** Bytes since the ratio was last looked at, before and after. */
  let given = 0;
  let made = 0;
  let patience = firstPatience;
  const cooler = createCooler<Kept>(cool, { clock, rest: coldAfter });
  const filled = (slab: Slab) => cooler.add(slab.kept);
  const { keep } = createSlabs(Number.isFinite(coldAfter) ? { filled } : {});

  function cool(kept: Kept): number {
    const { slab, at, length } = kept;
    if (kept.isReleased) return 0;
    kept.beforeCold?.();
    cold ??= createCold(slab);
    const bytes = cold.codec.compress(slab.bytes.subarray(at, at + length));
    cold.slabs.keep(bytes, { from: 0, to: bytes.length, cutFrom: 0, cutTo: 0 }, kept);
    given += length;
    made += bytes.length;
    if (given >= patience) judge();
    return length;
  }

  /** A dictionary of no use is replaced; objects that cannot be made small are not tried again and again. */
  function judge(): void {
    if (made > given * poorRatio) {
      cold = undefined;
      patience *= 4;
    }
    given = made = 0;
  }

  return { keep, stop: cooler.stop };
}

const firstPatience = 1024 * 1024;
const poorRatio = 0.4;

function createCold(like: Slab) {
  const codec = createColdCodec(shapesOf(samplesOf(like)));
  return { codec, slabs: createSlabs({ codec }) };
}

/** A few objects, from all over a slab: next to each other they may be of one namespace or owner. */
function samplesOf({ bytes, kept }: Slab): Uint8Array[] {
  const step = Math.ceil(kept.length / 16);
  return kept.filter((_, i) => i % step === 0).map(({ at, length }) => bytes.subarray(at, at + length));
}
