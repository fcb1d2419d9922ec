import type { KubeObject, ObjectMeta } from "@operator-path/client";

/**
 * Returns the metadata of a converted object. A conversion may change only labels and annotations. Metadata
 * that it does not return stays unchanged.
 *
 * @returns the metadata, or the reason why the API server would reject it
 */
export function convertedMetadata(original: ObjectMeta = {}, converted: KubeObject): ObjectMeta | string {
  const { metadata = original } = converted;
  for (const [field, noun] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [before, after] = [original[field] ?? "", metadata[field] ?? original[field] ?? ""];
    if (before !== after) return `must have the same ${noun}: ${before} != ${after}`;
  }
  for (const field of ["labels", "annotations"] as const) {
    for (const [key, value] of Object.entries(metadata[field] ?? {})) {
      if (typeof value === "string") continue;
      return `metadata.${field}[${key}] must be a string, but is ${JSON.stringify(value)} in converted object`;
    }
  }
  const { labels, annotations } = metadata;
  const { labels: _labels, annotations: _annotations, ...rest } = original;
  return { ...rest, ...(labels && { labels }), ...(annotations && { annotations }) };
}
