/**
 * What is known of labels without having them: a bit for each key, and a bit for each key with its value. Different labels
 * may share a bit, so that a sketch says "perhaps" or "no". Eight bytes for what would be hundreds.
 */
export interface LabelSketch {
  labelKeys: number;
  labelPairs: number;
}

/** Every bit: what stands where nothing is known. */
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

/** FNV-1a, with its upper bits mixed in: a shift looks at the five lowest alone. */
function hash(text: string, seed: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum ^ (sum >>> 13) ^ (sum >>> 22);
}
