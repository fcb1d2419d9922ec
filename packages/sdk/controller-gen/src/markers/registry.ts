import { closest } from "../closest.ts";
import type { Place, Report } from "../problem.ts";
import type { RawMarker } from "../source/comments.ts";
import type { SourceFile } from "../source/source-file.ts";
import { type Marker, type MarkerDefinition, parseMarker, splitMarker, type Target } from "./definition.ts";
import { otherMarkers } from "./other-markers.ts";
import type { SchemaMarker } from "./schema-marker-forms.ts";
import { schemaMarkers } from "./schema-markers.ts";

/** Every marker that there is. */
export const allMarkers: readonly (MarkerDefinition | SchemaMarker)[] = [...schemaMarkers, ...otherMarkers];

const byName = new Map(allMarkers.map((definition) => [definition.name, definition]));

/** Those of other tools, and of kubebuilder's scaffolds, which say nothing here. */
const foreign =
  /^(?:kubebuilder:scaffold:|kubebuilder:ac:|kubebuilder:docs-gen:|k8s:deepcopy-gen|k8s:openapi-gen|k8s:conversion-gen|k8s:defaulter-gen|operator-sdk:|genclient)/;

/** The definition that a marker's text names; a longer name goes before a shorter one with an argument. */
export function lookUpMarker(text: string): MarkerDefinition | undefined {
  const { full, name } = splitMarker(text);
  const long = byName.get(full);
  if (long !== undefined) return long;
  const short = byName.get(name);
  return short?.arguments.kind === "fields" ? short : undefined;
}

/**
 * Understands the markers of one place. Each that is unknown, stands in the wrong place or twice, or has wrong
 * arguments, is reported, and left out.
 *
 * @param where the place in an author's words: "the field size"
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
        `+${definition.name} stands on ${where}, and belongs on ${targets}`,
        wayOut(definition, target),
      );
    } else if (definition.repeatable !== true && markers.some((marker) => marker.definition === definition)) {
      report(place, `+${definition.name} stands twice on ${where}`, "leave one");
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

/** The first marker of the name. */
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

function wayOut({ name, targets }: MarkerDefinition, target: Target): string | undefined {
  if (targets.includes("package") && target !== "package") {
    return name.includes("rbac") || name.includes("webhook")
      ? "put it above a function, a class or a constant, or leave an empty line below it"
      : "put it into groupversion.info.ts of the folder";
  }
  if (target === "package") return "put it directly above what it describes";
  return undefined;
}

/** What looks like no marker of ours may be anybody's; what is nearly one of ours is a slip. */
function reportUnknown(text: string, place: Place, report: Report): void {
  const { full, name, rest } = splitMarker(text);
  if (foreign.test(full)) return;
  const near = closest(full, byName.keys()) ?? closest(name, byName.keys());
  const suggestion = near === undefined ? undefined : `did you mean +${near}?`;
  if (/^(?:kubebuilder|k8s):/.test(full)) {
    report(place, `there is no marker +${full}`, suggestion ?? "--which-markers lists those that there are");
  } else if (/^[A-Za-z][\w:.-]*$/.test(full) && near !== undefined) {
    report(place, `there is no marker +${full}`, suggestion);
  } else {
    const first = full.split(/\s/, 1)[0] ?? "";
    if (byName.has(first) && rest === "" && first !== full) {
      report(place, `text follows +${first} in its line`, "write the marker on a line of its own");
    }
  }
}
