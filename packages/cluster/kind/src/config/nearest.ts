import { distance } from "fastest-levenshtein";

/** The known name that an unknown one was meant to be, or undefined when none is near. */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  const longer = known.find((name) => name.toLowerCase().startsWith(unknown.toLowerCase()));
  if (longer !== undefined) return longer;
  const [best] = known
    .map((name) => ({ name, far: distance(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(2, Math.floor(unknown.length / 3)) ? best.name : undefined;
}
