import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, type CelType, int, opaque, string } from "../types.ts";
import { CelOpaque, type CelValue } from "../values.ts";

export const semverType: CelType = opaque("kubernetes.Semver");

class CelSemver extends CelOpaque {
  readonly type = semverType;
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compare(this, other) === 0;
  }
}

const read = ([text]: readonly CelValue[]) => traversal(sizeOf(text as CelValue));

/** Functions of semantic versions (semverlib.go of k8s.io/apiserver/pkg/cel/library). */
export const semvers: Library = {
  semver: [
    global([string], semverType, (text: string) => toSemver(text), read),
    global(
      [string, bool],
      semverType,
      (text: string, lenient: boolean) => toSemver(lenient ? normal(text) : text),
      read,
    ),
  ],
  isSemver: [
    global([string], bool, (text: string) => typeof parse(text) === "object", read),
    global(
      [string, bool],
      bool,
      (text: string, lenient: boolean) => typeof parse(lenient ? normal(text) : text) === "object",
      read,
    ),
  ],
  isGreaterThan: [member([semverType, semverType], bool, (a: CelSemver, b: CelSemver) => compare(a, b) > 0)],
  isLessThan: [member([semverType, semverType], bool, (a: CelSemver, b: CelSemver) => compare(a, b) < 0)],
  compareTo: [member([semverType, semverType], int, (a: CelSemver, b: CelSemver) => BigInt(compare(a, b)))],
  major: [member([semverType], int, ({ numbers }: CelSemver) => numbers[0])],
  minor: [member([semverType], int, ({ numbers }: CelSemver) => numbers[1])],
  patch: [member([semverType], int, ({ numbers }: CelSemver) => numbers[2])],
};

function toSemver(text: string): CelSemver {
  const parsed = parse(text);
  return typeof parsed === "string" ? fail(parsed) : parsed;
}

/** Parses a version. @returns the version, or why the text is invalid */
function parse(text: string): CelSemver | string {
  if (text === "") return "Version string empty";
  const match = /^([^.]*)\.([^.]*)\.([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text);
  if (match === null) return "No Major.Minor.Patch elements found";
  const [, major = "", minor = "", patch = "", prerelease, build] = match;
  for (const [name, digits] of Object.entries({ major, minor, patch })) {
    const noun = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    if (/\D/.test(digits)) return `Invalid character(s) found in ${name} number ${JSON.stringify(digits)}`;
    if (/^0\d/.test(digits))
      return `${noun} number must not contain leading zeroes ${JSON.stringify(digits)}`;
    if (digits === "") return `strconv.ParseUint: parsing "": invalid syntax`;
  }
  const identifiers = prerelease?.split(".") ?? [];
  for (const identifier of identifiers) {
    if (identifier === "") return "Prerelease is empty";
    if (/^0\d+$/.test(identifier)) {
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(identifier)}`;
    }
    if (/[^0-9A-Za-z-]/.test(identifier))
      return `Invalid character(s) found in prerelease ${JSON.stringify(identifier)}`;
  }
  for (const identifier of build?.split(".") ?? []) {
    if (identifier === "") return "Build meta data is empty";
    if (/[^0-9A-Za-z-]/.test(identifier))
      return `Invalid character(s) found in build meta data ${JSON.stringify(identifier)}`;
  }
  return new CelSemver([BigInt(major), BigInt(minor), BigInt(patch)], identifiers);
}

/** Normalizes a version, `v01.2` to `1.2.0`: removes the v and leading zeros, and adds missing numbers. */
function normal(text: string): string {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const patch = rest.length === 0 ? undefined : rest.join(".");
  const parts = [major, minor, patch].filter((part) => part !== undefined);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) return "";
  const stripped = parts.map((part) => (part.length > 1 ? part.replace(/^0+(?=\d)/, "") : part));
  while (stripped.length < 3) stripped.push("0");
  return stripped.join(".");
}

function compare(a: CelSemver, b: CelSemver): number {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] < b.numbers[index] ? -1 : 1;
  }
  const [left, right] = [a.prerelease, b.prerelease];
  // A version is greater than its pre-releases.
  if (left.length === 0 || right.length === 0) return Math.sign(right.length - left.length);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] as string, right[index] as string);
    if (order !== 0) return order;
  }
  return Math.sign(left.length - right.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
