/** The values of the page's samples and wildcards in this run. Immutable: a match returns a new one. */
export interface Samples {
  /** Sample or `[..NAME..]` → the learner's own value. */
  readonly values: ReadonlyMap<string, string>;
  /** The samples that stand for one object until the end. The others may change. */
  readonly fixed: ReadonlySet<string>;
  /** Ages have no upper bound. Default: they are about as high as on the page. */
  readonly unhurried?: boolean;
}

export const noSamples: Samples = { values: new Map(), fixed: new Set() };

/** For output that a person sees, who reads, solves exercises and sleeps between two commands. */
export const learnerSamples: Samples = { ...noSamples, unhurried: true };

/**
 * Binds a sample to a value. Returns undefined if it stands for another object, or another sample for this
 * one.
 */
export function bindSample(
  samples: Samples,
  sample: string,
  value: string,
  fixed: boolean,
): Samples | undefined {
  const known = samples.values.get(sample);
  if (known === value) return samples;
  if (samples.fixed.has(sample)) return undefined;
  if (fixed) for (const other of samples.fixed) if (samples.values.get(other) === value) return undefined;
  return {
    ...samples,
    values: new Map([...samples.values, [sample, value]]),
    fixed: fixed ? new Set([...samples.fixed, sample]) : samples.fixed,
  };
}

/** Replaces the samples in a command or typed line by the learner's names. Longer samples come first. */
export function substituteSamples(text: string, samples: Samples): string {
  if (samples.values.size === 0) return text;
  const known = [...samples.values.keys()].sort((a, b) => b.length - a.length);
  const pattern = known.map((sample) =>
    sample.startsWith("[..")
      ? escapeRegExp(sample)
      : `(?<![A-Za-z0-9.-])${escapeRegExp(sample)}(?![A-Za-z0-9]|-[A-Za-z0-9]|\\.[0-9])`,
  );
  return text.replaceAll(new RegExp(pattern.join("|"), "g"), (found) => samples.values.get(found) ?? found);
}

export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
