/**
 * Compares versions as Kubernetes sorts them: stable before beta before alpha, newer before older, and all
 * others last by name (CompareKubeAwareVersionStrings of k8s.io/apimachinery/pkg/version, reversed). Sorted:
 * `v10`, `v2`, `v1`, `v2beta1`, `v1alpha1`, `foo`.
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

function parseVersion(text: string): { stability: number; major: number; minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(text);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
