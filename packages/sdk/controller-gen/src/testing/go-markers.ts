import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allMarkers } from "../markers/all-markers.ts";
import { testdata } from "./cases.ts";

/** A marker of Go's controller-gen: name, target and arguments, with a `?` after each optional argument. */
export type GoMarker = readonly [name: string, target: string, ...fields: string[]];

export const goMarkersFile = join(testdata, "generated/markers.json");

export function recordedGoMarkers(): GoMarker[] {
  return JSON.parse(readFileSync(goMarkersFile, "utf8")) as GoMarker[];
}

/** Parses the output of Go's `controller-gen … -wwww`. */
export function goMarkersOf(listing: string): GoMarker[] {
  const categories = JSON.parse(listing) as {
    markers: { name: string; target: string; fields?: { name: string; optional?: boolean }[] }[];
  }[];
  return categories
    .flatMap(({ markers }) => markers)
    .map(
      ({ name, target, fields = [] }): GoMarker => [
        name,
        target,
        ...fields.map((field) => field.name + (field.optional ? "?" : "")).sort(),
      ],
    )
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** Markers that Go only rejects, or that generate code which TypeScript does not need. */
const ignored = new Set(["k8s:enum field", "k8s:deepcopy-gen package", "k8s:deepcopy-gen type"]);

/** Returns a line for each Go marker that is unknown here, or has other places or arguments. */
export function differingMarkers(markers: readonly GoMarker[]): string[] {
  return markers.flatMap(([name, target, ...fields]) => {
    if (ignored.has(`${name} ${target}`) || name.startsWith("k8s:deepcopy-gen:")) return [];
    const own = allMarkers.find((marker) => marker.name === name);
    if (own === undefined) return [`+${name} is unknown`];
    const targets: readonly string[] = own.targets;
    if (!targets.includes(target) && !(target === "type" && targets.includes("root"))) {
      return [`+${name} is not allowed on a ${target}`];
    }
    if (own.arguments.kind !== "fields") return [];
    const ownFields = Object.entries(own.arguments.fields).map(
      ([field, { optional }]) => field + (optional ? "?" : ""),
    );
    const same = ownFields.sort().join() === fields.join();
    return same ? [] : [`+${name} takes ${ownFields.join()}, but in Go it takes ${fields.join()}`];
  });
}
