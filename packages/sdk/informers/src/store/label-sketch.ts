/**
 * Summarizes labels in eight bytes instead of hundreds: one bit for each key, and one for each pair of key
 * and value. Different labels may share a bit, so a sketch answers "perhaps" or "no".
 */
export interface LabelSketch {
  labelKeys: number;
  labelPairs: number;
}

/** All bits set: nothing is known about the labels. */
export const anyLabels = -1;

export function sketchLabels(labels: Record<string, unknown> | undefined, into: LabelSketch): void {
  into.labelKeys = into.labelPairs = 0;
  for (const key in labels) {
    into.labelKeys |= keyBit(key);
    into.labelPairs |= pairBit(key, labels[key]);
  }
}

export const keyBit = (key: string): number => 1 << hash(key, 0x811c9dc5);

export const pairBit = (key: string, value: unknown): number =>
  1 << hash(String(value), hash(key, 0x811c9dc5));

/** FNV-1a with its upper bits mixed in, because a shift uses only the five lowest bits. */
function hash(text: string, seed: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum ^ (sum >>> 13) ^ (sum >>> 22);
}
