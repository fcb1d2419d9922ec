import type { ObjectSpan } from "../wire/object-span.ts";
import type { ColdCodec } from "./cold/cold-codec.ts";

/** The bytes of one object in a shared slab. The slabs move it when too little of its slab is in use. */
export interface StoredBytes {
  slab: Slab;
  /** Offset in the slab's bytes. */
  at: number;
  /** Number of bytes. */
  length: number;
  /** The store dropped the object. A remaining reader still finds its bytes in the same slab. */
  isReleased: boolean;
  /** Called before the bytes are compressed. */
  beforeCold?(): void;
}

export interface Slab {
  readonly bytes: Buffer;
  /** Expands the bytes, if they are compressed. */
  readonly codec: ColdCodec | undefined;
  used: number;
  /** Bytes that are not released. */
  live: number;
  readonly kept: StoredBytes[];
  release(kept: StoredBytes): void;
}

export interface Slabs {
  /** Copies an object's bytes without the cut range, and records their place in `into`. */
  keep(bytes: Uint8Array, span: ByteSpan, into: StoredBytes): void;
}

/** A range of bytes, without the cut range inside it. */
type ByteSpan = Pick<ObjectSpan, "from" | "to" | "cutFrom" | "cutTo">;

const slabBytes = 256 * 1024;

/** The value of `slab` before the bytes are stored. */
export const noSlab: Slab = Object.freeze({
  bytes: Buffer.alloc(0),
  codec: undefined,
  used: 0,
  live: 0,
  kept: [],
  release() {},
});

export interface SlabsOptions {
  /** The codec that expands the stored bytes, if they are compressed. */
  codec?: ColdCodec;
  /** Called for each full slab, except those that hold a single large object. */
  filled?(slab: Slab): void;
}

/**
 * Stores bytes outside of V8's heap, many objects per block of memory. As strings, the garbage collector
 * would copy and mark them again and again, at a higher cost than the rest of an event.
 *
 * When less than a quarter of a slab is in use, its objects move to the current slab. So the memory is at
 * most four times the bytes in use, and about twice when all objects change equally often. A threshold of one
 * half would triple the copying per change.
 *
 * A released object may still have a reader, such as a handler with a queued change. It keeps its whole slab
 * in memory, in addition to the above.
 */
export function createSlabs({ codec, filled }: SlabsOptions = {}): Slabs {
  let current = createSlab(slabBytes);

  function createSlab(bytes: number): Slab {
    return { bytes: Buffer.allocUnsafeSlow(bytes), codec, used: 0, live: 0, kept: [], release };
  }

  /** Reserves space. An object too large to share a slab gets its own. */
  function reserve(length: number, kept: StoredBytes): void {
    if (current.used + length > current.bytes.length) {
      if (length > slabBytes / 4) {
        take(createSlab(length), length, kept);
        return;
      }
      fill();
      if (current.used + length > current.bytes.length) fill();
    }
    take(current, length, kept);
  }

  /** Starts another slab. A sparse old one is first moved into it. */
  function fill(): void {
    const full = current;
    current = createSlab(slabBytes);
    evacuateIfSparse(full);
    if (full.live > 0) filled?.(full);
  }

  function take(slab: Slab, length: number, kept: StoredBytes): void {
    kept.slab = slab;
    kept.at = slab.used;
    kept.length = length;
    slab.used += length;
    slab.live += length;
    slab.kept.push(kept);
  }

  function evacuateIfSparse(slab: Slab): void {
    if (slab === current || slab.live * 4 >= slab.bytes.length) return;
    // Empty the list in place: the cooler may hold it too, and must not process these objects again.
    for (const kept of slab.kept.splice(0)) {
      if (kept.isReleased || kept.slab !== slab) continue;
      const { at, length } = kept;
      reserve(length, kept);
      slab.bytes.copy(kept.slab.bytes, kept.at, at, at + length);
    }
    slab.live = 0;
  }

  function release(kept: StoredBytes): void {
    if (kept.isReleased) return;
    kept.isReleased = true;
    kept.slab.live -= kept.length;
    evacuateIfSparse(kept.slab);
  }

  return {
    keep(bytes, { from, to, cutFrom, cutTo }, into) {
      reserve(to - from - (cutTo - cutFrom), into);
      const target = into.slab.bytes;
      if (cutFrom === cutTo) copy(bytes, target, into.at, from, to);
      else {
        copy(bytes, target, into.at, from, cutFrom);
        copy(bytes, target, into.at + cutFrom - from, cutTo, to);
      }
    },
  };
}

/** Returns the text of a stored object between two offsets, by default to its end. */
export function textOfStored({ slab, at, length }: StoredBytes, from = 0, to?: number): string {
  if (!slab.codec) return slab.bytes.toString("utf8", at + from, to === undefined ? at + length : at + to);
  return slab.codec.expand(slab.bytes.subarray(at, at + length)).toString("utf8", from, to);
}

function copy(source: Uint8Array, target: Buffer, at: number, from: number, to: number): void {
  Buffer.prototype.copy.call(source, target, at, from, to);
}
