import type { Difference } from "./compare.ts";
import { type KnownDifference, knownDifferences } from "./known-differences.ts";
import type { Script } from "./script.ts";

/** A script whose answers were compared, and the known differences in them. */
interface Compared {
  readonly script: Pick<Script, "area" | "name">;
  readonly explained: readonly { readonly difference: Difference }[];
}

/** Returns the entry that names this difference, or undefined. */
export function explain(script: Script, { answer, request, path }: Difference): KnownDifference | undefined {
  return knownDifferences.find(({ places }) =>
    places[nameOf(script)]?.[`${answer}. ${request}`]?.includes(path),
  );
}

/** Returns the places that are listed as different and are the same in these answers, one line each. */
export function unusedPlaces(
  compared: readonly Compared[],
  known: readonly KnownDifference[] = knownDifferences,
): string[] {
  const used = new Set(
    compared.flatMap(({ script, explained }) =>
      explained.map(({ difference: { answer, request, path } }) =>
        lineOf({ script: nameOf(script), request: `${answer}. ${request}`, path }),
      ),
    ),
  );
  const played = new Set(compared.map(({ script }) => nameOf(script)));
  return known
    .filter(({ sometimes = false }) => !sometimes)
    .flatMap(placesOf)
    .filter((place) => played.has(place.script) && !used.has(lineOf(place)))
    .map(lineOf);
}

/**
 * Returns the places that are not exact, one line each: their script does not exist, their request has no number, or
 * their path stands for a whole answer or for any status.
 */
export function vaguePlaces(
  scripts: readonly Script[],
  known: readonly KnownDifference[] = knownDifferences,
): string[] {
  const names = new Set(scripts.map(nameOf));
  return known
    .flatMap(placesOf)
    .filter(
      ({ script, request, path }) =>
        !names.has(script) || !/^\d+\. [A-Z]+ \//.test(request) || !exactPath.test(path),
    )
    .map(lineOf);
}

const exactPath =
  /^(message|contentType|warnings\[\d+\]|status \d{3} instead of \d{3}|body(\.[^.*]+|\[[^\]*]+\])+)$/;

interface Place {
  readonly script: string;
  readonly request: string;
  readonly path: string;
}

function placesOf({ places }: KnownDifference): Place[] {
  return Object.entries(places).flatMap(([script, requests]) =>
    Object.entries(requests).flatMap(([request, paths]) => paths.map((path) => ({ script, request, path }))),
  );
}

const nameOf = ({ area, name }: Pick<Script, "area" | "name">): string => `${area}: ${name}`;
const lineOf = ({ script, request, path }: Place): string => `${script}: ${request}: ${path}`;
