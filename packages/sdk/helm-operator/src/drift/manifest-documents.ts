/** A document of a manifest, as text. */
export interface ManifestDocument {
  readonly text: string;
  /** The file that it was rendered from; "" when unknown. */
  readonly template: string;
}

/**
 * Returns the documents of a manifest. Three dashes begin one, and helm writes the source file above each.
 */
export function documentsOf(manifest: string): ManifestDocument[] {
  let template = "";
  return manifest.split(/^---(?=\s|$)/m).map((text) => {
    template = /^# Source: (.*?)\s*$/m.exec(text)?.[1] ?? template;
    return { text, template };
  });
}
