import type { Pod } from "@operator-path/client";

export const completionIndexKey = "batch.kubernetes.io/job-completion-index";

/** The index that a Pod of an Indexed Job works on; undefined when it has none that the Job knows. */
export function indexOf(pod: Pod, completions: number): number | undefined {
  const text = pod.metadata?.annotations?.[completionIndexKey];
  const index = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return index !== undefined && index < completions ? index : undefined;
}

/** "1,3-5,7" as a sorted list; what is not valid is left out. */
export function parseIndexes(text: string | undefined, completions: number): number[] {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [first, last = first] = part.split("-").map(Number);
    if (part === "" || first === undefined || last === undefined || Number.isNaN(first + last)) continue;
    for (let index = first; index <= last && index < completions; index++) indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}

/** Two neighbours are written apart, three and more as an interval: "0,1,3-5". */
export function formatIndexes(indexes: number[]): string {
  const sorted = [...new Set(indexes)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === (sorted[end] as number) + 1) end++;
    if (end === start) parts.push(`${sorted[start]}`);
    else parts.push(`${sorted[start]}${end - start === 1 ? "," : "-"}${sorted[end]}`);
    start = end + 1;
  }
  return parts.join(",");
}
