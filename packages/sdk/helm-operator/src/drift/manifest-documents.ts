/** A document of a manifest, as text. */
export interface ManifestDocument {
  readonly text: string;
  /** The file that it was rendered from; "" where nothing says so. */
  readonly template: string;
}

/** The documents of a manifest: a line of three dashes begins one, and helm writes above each what it was rendered from. */
export function documentsOf(manifest: string): ManifestDocument[] {
  let template = "";
  return manifest.split(/^---(?=\s|$)/m).map((text) => {
    template = /^# Source: (.*?)\s*$/m.exec(text)?.[1] ?? template;
    return { text, template };
  });
}
