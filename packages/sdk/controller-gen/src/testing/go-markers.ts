import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allMarkers } from "../markers/registry.ts";
import { testdata } from "./cases.ts";

/** A marker that Go's controller-gen knows: name, target, and arguments, `?` behind those that may be left out. */
export type GoMarker = readonly [name: string, target: string, ...fields: string[]];

export const goMarkersFile = join(testdata, "generated/markers.json");

export function recordedGoMarkers(): GoMarker[] {
  return JSON.parse(readFileSync(goMarkersFile, "utf8")) as GoMarker[];
}

/** Of `controller-gen … -wwww`. */
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

/** Go has it only to refuse it, or for code that TypeScript needs none of. */
const passedOver = new Set(["k8s:enum field", "k8s:deepcopy-gen package", "k8s:deepcopy-gen type"]);

/** Markers that Go's has and ours has not, or not in the same place with the same arguments, as lines for a person. */
export function differingMarkers(markers: readonly GoMarker[]): string[] {
  return markers.flatMap(([name, target, ...fields]) => {
    if (passedOver.has(`${name} ${target}`) || name.startsWith("k8s:deepcopy-gen:")) return [];
    const own = allMarkers.find((marker) => marker.name === name);
    if (own === undefined) return [`+${name} is unknown`];
    const targets: readonly string[] = own.targets;
    if (!targets.includes(target) && !(target === "type" && targets.includes("root"))) {
      return [`+${name} may not stand on a ${target}`];
    }
    if (own.arguments.kind !== "fields") return [];
    const ownFields = Object.entries(own.arguments.fields).map(
      ([field, { optional }]) => field + (optional ? "?" : ""),
    );
    const same = ownFields.sort().join() === fields.join();
    return same ? [] : [`+${name} takes ${ownFields.join()}, and in Go ${fields.join()}`];
  });
}
