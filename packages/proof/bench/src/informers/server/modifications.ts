import { batchBytes, frameLength, modified, writeFrame } from "./frames.ts";
import { firstEventVersion, type Recording } from "./recording.ts";

/** Endless changes of all objects in turn, with new versions in each turn. */
export interface Modifications {
  /** Returns the bytes of the next events, up to `count`. The next turn of all objects overwrites them. */
  next(count: number): { readonly events: number; readonly bytes: Buffer };
}

/** Prepared at once, so that an event costs no more than seven digits and the call that sends it. */
export function prepareModifications(recording: Recording): Modifications {
  const { count } = recording;
  // 7919 is prime, so every object has its turn whatever their number, and not in the order of the list.
  const turnOf = (turn: number): number => (turn * 7919) % count;
  let length = 0;
  for (let turn = 0; turn < count; turn++) length += frameLength(recording, turnOf(turn), modified);
  const bytes = Buffer.allocUnsafe(length);
  const ends = new Float64Array(count + 1);
  const versions = new Float64Array(count);
  for (let turn = 0; turn < count; turn++) {
    const written = writeFrame(bytes, ends[turn] as number, recording, turnOf(turn), 0, modified);
    versions[turn] = written.version;
    ends[turn + 1] = written.end;
  }
  let sent = 0;
  return {
    next(limit) {
      const first = sent % count;
      const from = ends[first] as number;
      let turn = first;
      while (turn < count && turn - first < limit && (ends[turn] as number) - from < batchBytes) {
        bytes.write(String(firstEventVersion + sent), versions[turn] as number, "latin1");
        sent++;
        turn++;
      }
      return { events: turn - first, bytes: bytes.subarray(from, ends[turn]) };
    },
  };
}
