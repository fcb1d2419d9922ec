import type { ObjectSpan } from "../wire/object-span.ts";
import type { ColdCodec } from "./cold/cold-codec.ts";

/** Bytes of an object, in a slab with those of others. The slabs move it when too little of its slab is needed. */
export interface Kept {
  slab: Slab;
  /** Where in the slab's bytes. */
  at: number;
  /** Bytes there. */
  length: number;
  /** Nobody keeps it any more; whoever still reads it finds its bytes in the slab that it was in. */
  isReleased: boolean;
  /** It is about to be compressed. */
  beforeCold?(): void;
}

export interface Slab {
  readonly bytes: Buffer;
  /** What its bytes are to be expanded with, when they are compressed. */
  readonly codec: ColdCodec | undefined;
  used: number;
  /** Bytes that are not released. */
  live: number;
  readonly kept: Kept[];
  release(kept: Kept): void;
}

export interface Slabs {
  /** Copies an object's bytes, without what is to be cut, and notes in `into` where they are. */
  keep(bytes: Uint8Array, span: ByteSpan, into: Kept): void;
}

/** Which bytes, and which of them not. */
type ByteSpan = Pick<ObjectSpan, "from" | "to" | "cutFrom" | "cutTo">;

const slabBytes = 256 * 1024;

/** What stands in an entry before its bytes are kept. */
export const noSlab: Slab = Object.freeze({
  bytes: Buffer.alloc(0),
  codec: undefined,
  used: 0,
  live: 0,
  kept: [],
  release() {},
});

export interface SlabsOptions {
  /** Of what is kept in them: it is compressed already. */
  codec?: ColdCodec;
  /** Told of each slab that has no more room. Those of an object too large to share one are not among them. */
  filled?(slab: Slab): void;
}

/**
 * Keeps bytes outside of V8's heap, many objects to a piece of memory: as strings they would be copied and marked by
 * the garbage collector over and over, which costs more than all the rest of an event. A slab of which less than a
 * quarter is needed is emptied into the current one, so that no more than four times the bytes that are needed are held
 * (about twice, when all objects change alike; at half instead of a quarter each change would cost three times the copying).
 *
 * What is released and still read by somebody, as by a handler that has a change of it before it, keeps the whole of the
 * slab that it was in: that comes on top.
 */
export function createSlabs({ codec, filled }: SlabsOptions = {}): Slabs {
  let current = createSlab(slabBytes);

  function createSlab(bytes: number): Slab {
    return { bytes: Buffer.allocUnsafeSlow(bytes), codec, used: 0, live: 0, kept: [], release };
  }

  /** A place for so many bytes; what is too large to share has a slab of its own. */
  function reserve(length: number, kept: Kept): void {
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

  /** Begins another slab. What was needed of a sparse one is in it already. */
  function fill(): void {
    const full = current;
    current = createSlab(slabBytes);
    evacuateIfSparse(full);
    if (full.live > 0) filled?.(full);
  }

  function take(slab: Slab, length: number, kept: Kept): void {
    kept.slab = slab;
    kept.at = slab.used;
    kept.length = length;
    slab.used += length;
    slab.live += length;
    slab.kept.push(kept);
  }

  function evacuateIfSparse(slab: Slab): void {
    if (slab === current || slab.live * 4 >= slab.bytes.length) return;
    // Whoever has the list of what is in the slab, has none of it any more.
    for (const kept of slab.kept.splice(0)) {
      if (kept.isReleased || kept.slab !== slab) continue;
      const { at, length } = kept;
      reserve(length, kept);
      slab.bytes.copy(kept.slab.bytes, kept.at, at, at + length);
    }
    slab.live = 0;
  }

  function release(kept: Kept): void {
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

/** Text of an object that is kept, from one offset in it to another, or to its end. */
export function textOfKept({ slab, at, length }: Kept, from = 0, to?: number): string {
  if (!slab.codec) return slab.bytes.toString("utf8", at + from, to === undefined ? at + length : at + to);
  return slab.codec.expand(slab.bytes.subarray(at, at + length)).toString("utf8", from, to);
}

function copy(source: Uint8Array, target: Buffer, at: number, from: number, to: number): void {
  Buffer.prototype.copy.call(source, target, at, from, to);
}
