import { basename } from "node:path";
import type { Marker } from "../markers/definition.ts";
import { findMarker, lookUpMarker, readMarkers } from "../markers/registry.ts";
import type { Report } from "../problem.ts";
import type { RawMarker } from "../source/comments.ts";
import type { Folder } from "../source/project.ts";
import type { Declaration, SourceFile } from "../source/source-file.ts";

/** A folder with its group, version and markers (Go: a package). */
export interface ApiPackage {
  readonly folder: Folder;
  /** undefined without +groupName. */
  readonly group: string | undefined;
  readonly version: string;
  readonly markers: readonly PackageMarker[];
  /** Whether fields without a marker are optional. */
  readonly optionalByDefault: boolean;
  /** Whether the folder has +kubebuilder:skip. */
  readonly skipped: boolean;
}

export interface PackageMarker extends Marker {
  readonly file: SourceFile;
}

/** Reads the package markers in the files of a folder. Reports invalid ones. */
export function readPackage(folder: Folder, report: Report): ApiPackage {
  const markers = folder.files.flatMap((file) => packageMarkersOf(file, report));
  return {
    folder,
    group: textOf(markers, "groupName"),
    version: textOf(markers, "versionName") ?? basename(folder.root),
    markers,
    optionalByDefault: findMarker(markers, "kubebuilder:validation:Optional") !== undefined,
    skipped: findMarker(markers, "kubebuilder:skip") !== undefined,
  };
}

function packageMarkersOf(file: SourceFile, report: Report): PackageMarker[] {
  const loose = [...file.declarations.values()].flatMap(
    (declaration) => splitLooseMarkers(declaration).ofPackage,
  );
  return readMarkers([...file.packageMarkers, ...loose], "package", file, "a package", report)
    .sort((a, b) => a.offset - b.offset)
    .map((marker) => ({ ...marker, file }));
}

/**
 * Divides the markers in the comment above a type's doc comment. Those that allow a type belong to the type,
 * the others to the package.
 */
export function splitLooseMarkers({ looseMarkers }: Declaration): {
  ofType: RawMarker[];
  ofPackage: RawMarker[];
} {
  const isOfPackage = ({ text }: RawMarker): boolean => {
    const targets = lookUpMarker(text)?.targets;
    return targets?.includes("package") === true && !targets.includes("type") && !targets.includes("root");
  };
  return {
    ofType: looseMarkers.filter((marker) => !isOfPackage(marker)),
    ofPackage: looseMarkers.filter(isOfPackage),
  };
}

function textOf(markers: readonly Marker[], name: string): string | undefined {
  const value = findMarker(markers, name)?.value;
  return typeof value === "string" ? value : undefined;
}
