/**
 * Compares two keys by the order of go-yaml v2, which Kubernetes' tools use. Letters come after all other
 * characters and are compared by code point. Digits are compared as numbers, so `v2` comes before `v10`.
 */
export function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [x, y] = [left[at] ?? "", right[at] ?? ""];
    if (x === y) continue;
    const [xIsLetter, yIsLetter] = [isLetter(x), isLetter(y)];
    if (xIsLetter && yIsLetter) return byCode(x, y);
    if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
    return compareNumbers(left, right, at) || byCode(x, y);
  }
  return left.length - right.length;
}

/** Compares the numbers at `at`, the first position where both keys differ. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  // go-yaml compares a zero as a digit only after a non-zero digit: in 10 and 1, but not in 01 and 1.
  const inside = (left[at] === "0" || right[at] === "0") && hasNonZeroBefore(left, at);
  const [x, xEnd] = numberAt(left, at, inside);
  const [y, yEnd] = numberAt(right, at, inside);
  return x < y ? -1 : x > y ? 1 : xEnd - yEnd;
}

function hasNonZeroBefore(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0 && isDigit(characters[index]); index--) {
    if (characters[index] !== "0") return true;
  }
  return false;
}

function numberAt(characters: readonly string[], at: number, inside: boolean): [bigint, number] {
  let value = inside ? 1n : 0n;
  let end = at;
  for (; end < characters.length && isDigit(characters[end]); end++) {
    value = value * 10n + BigInt(characters[end] ?? "0");
  }
  return [value, end];
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /^[0-9]$/.test(character);
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function byCode(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}
