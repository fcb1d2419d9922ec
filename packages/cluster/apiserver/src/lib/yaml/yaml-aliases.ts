/**
 * Limits the expansion of aliases like go-yaml: many values are fine, but most of them must not be copies.
 */
export interface AliasLimit {
  /** Call it before the items of a sequence or mapping. Returns false if the document expands too far. */
  enter(value: object): boolean;
  leave(value: object): void;
}

const always = { copies: 100, values: 1_000 };
/** Up to `few` values nearly all may be copies. From `many` values on, one in ten. */
const few = { values: 400_000, share: 0.99 };
const many = { values: 4_000_000, share: 0.1 };

export function createAliasLimit(): AliasLimit {
  const seen = new Set<object>();
  /** The value of the outermost alias, while its items are visited. */
  let alias: object | undefined;
  let values = 0;
  let copies = 0;
  return {
    enter(value) {
      if (alias === undefined && seen.has(value)) alias = value;
      seen.add(value);
      const size = 1 + (Array.isArray(value) ? value.length : Object.keys(value).length);
      values += size;
      if (alias !== undefined) copies += size;
      return copies <= always.copies || values <= always.values || copies / values <= shareOf(values);
    },
    leave(value) {
      if (alias === value) alias = undefined;
    },
  };
}

function shareOf(values: number): number {
  const progress = (values - few.values) / (many.values - few.values);
  return few.share - (few.share - many.share) * Math.min(1, Math.max(0, progress));
}
