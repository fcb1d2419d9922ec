import { posix } from "node:path";

/** A Markdown page in a tarball. */
export interface PackedPage {
  /** The page's path in the repository: `packages/sdk/client/README.md`. */
  readonly path: string;
  /** Returns whether the tarball contains a file or folder of the repository. */
  isPacked(path: string): boolean;
  /** The URL of the public repository. Without it, links become plain text. */
  readonly repository?: string;
}

// The pattern matches code first, because links in code are not links.
const codeOrLink = /(```[\s\S]*?```|`[^`]*`)|(!?)\[((?:`[^`]*`|[^[\]`])*)\]\(([^()\s]+)\)/g;
const image = /\.(?:png|svg|jpe?g|gif)$/;

/**
 * Returns a Markdown page whose links work outside the repository. A relative link to a file that is not in
 * the tarball becomes a URL of the public repository, or plain text while the repository is not public. Other
 * links do not change.
 */
export function packedLinks(text: string, { path, isPacked, repository }: PackedPage): string {
  return text.replace(
    codeOrLink,
    (whole, code: string | undefined, mark: string, label: string, href: string) => {
      if (code !== undefined || /^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(href)) return whole;
      const [file = "", anchor] = href.split("#");
      const target = posix.join(posix.dirname(path), file).replace(/\/$/, "");
      if (isPacked(target)) return whole;
      if (repository === undefined) return label;
      const view = image.test(target) ? "raw" : "blob";
      const place = anchor === undefined ? target : `${target}#${anchor}`;
      return `${mark}[${label}](${repository}/${view}/HEAD/${place})`;
    },
  );
}
