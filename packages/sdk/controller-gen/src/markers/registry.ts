import { closest, type Place, type Report } from "../problem.ts";
import type { RawMarker } from "../source/comments.ts";
import type { SourceFile } from "../source/source-file.ts";
import { allMarkers } from "./all-markers.ts";
import { type Marker, type MarkerDefinition, parseMarker, splitMarker, type Target } from "./definition.ts";

const byName = new Map(allMarkers.map((definition) => [definition.name, definition]));

/** Markers of other tools and of kubebuilder's scaffolds. controller-gen ignores them. */
const foreignMarkers =
  /^(?:kubebuilder:scaffold:|kubebuilder:ac:|kubebuilder:docs-gen:|k8s:deepcopy-gen|k8s:openapi-gen|k8s:conversion-gen|k8s:defaulter-gen|operator-sdk:|genclient)/;

/**
 * Returns the definition that a marker's text names, or undefined. `+a:b:c=d` is the marker `a:b:c` if there
 * is one, and otherwise the marker `a:b` with the argument `c`.
 */
export function lookUpMarker(text: string): MarkerDefinition | undefined {
  const { full, name } = splitMarker(text);
  const long = byName.get(full);
  if (long !== undefined) return long;
  const short = byName.get(name);
  return short?.arguments.kind === "fields" ? short : undefined;
}

/**
 * Parses the markers of one declaration or field. Reports and skips a marker that is unknown, repeated, in
 * the wrong place, or has invalid arguments.
 *
 * @param where the place, for messages: "the field size"
 */
export function readMarkers(
  raw: readonly RawMarker[],
  target: Target,
  file: Pick<SourceFile, "path" | "text">,
  where: string,
  report: Report,
): Marker[] {
  const markers: Marker[] = [];
  for (const { text, offset } of raw) {
    const place: Place = { file, offset };
    const definition = lookUpMarker(text);
    if (definition === undefined) {
      reportUnknown(text, place, report);
    } else if (!fits(definition, target)) {
      const targets = definition.targets.map((each) => targetNames[each]).join(" or ");
      report(
        place,
        `+${definition.name} is on ${where}, but belongs on ${targets}`,
        suggestPlace(definition, target),
      );
    } else if (definition.repeatable !== true && markers.some((marker) => marker.definition === definition)) {
      report(place, `+${definition.name} is on ${where} twice`, "remove one");
    } else {
      try {
        markers.push({ definition, value: parseMarker(definition, text), offset });
      } catch (error) {
        report(place, `+${definition.name}: ${(error as Error).message}`);
      }
    }
  }
  return markers;
}

/** Returns the first marker with the name, or undefined. */
export function findMarker(markers: readonly Marker[], name: string): Marker | undefined {
  return markers.find(({ definition }) => definition.name === name);
}

const targetNames: Readonly<Record<Target, string>> = {
  package: "a package",
  root: "an object with apiVersion, kind and metadata (extends KubeObject)",
  type: "a type",
  field: "a field",
};

function fits({ targets }: MarkerDefinition, target: Target): boolean {
  return targets.includes(target) || (target === "root" && targets.includes("type"));
}

function suggestPlace({ name, targets }: MarkerDefinition, target: Target): string | undefined {
  if (targets.includes("package") && target !== "package") {
    return name.includes("rbac") || name.includes("webhook")
      ? "put it above a function, a class or a constant, or leave an empty line below it"
      : "put it into the folder's groupversion.info.ts";
  }
  if (target === "package") return "put it directly above the type or field that it describes";
  return undefined;
}

/**
 * Reports an unknown marker if it has our prefix or resembles one of our markers. Any other unknown marker
 * may belong to another tool, so controller-gen ignores it.
 */
function reportUnknown(text: string, place: Place, report: Report): void {
  const { full, name, rest } = splitMarker(text);
  if (foreignMarkers.test(full)) return;
  const near = closest(full, byName.keys()) ?? closest(name, byName.keys());
  const suggestion = near === undefined ? undefined : `did you mean +${near}?`;
  if (/^(?:kubebuilder|k8s):/.test(full)) {
    report(place, `there is no marker +${full}`, suggestion ?? "--which-markers lists all markers");
  } else if (/^[A-Za-z][\w:.-]*$/.test(full) && near !== undefined) {
    report(place, `there is no marker +${full}`, suggestion);
  } else {
    const first = full.split(/\s/, 1)[0] ?? "";
    if (byName.has(first) && rest === "" && first !== full) {
      report(place, `there is text after +${first}`, "put the marker on a line of its own");
    }
  }
}
