import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The fields about the origin of every published package. Only the root package.json contains them. */
export interface Publication {
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string | { readonly url: string };
  /** Missing as long as there is no public repository. */
  readonly repository?: { readonly type: "git"; readonly url: string };
}

/**
 * Reads keywords, homepage, bugs and repository from the root package.json.
 *
 * @param root the checkout's root folder
 * @throws Error if repository is not `{ "type": "git", "url": "git+https://….git" }`
 */
export function readPublication(root: string): Publication {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Publication;
  const { keywords, homepage, bugs, repository } = manifest;
  if (repository !== undefined) repositoryPage(repository);
  return {
    ...(keywords && { keywords }),
    ...(homepage && { homepage }),
    ...(bugs && { bugs }),
    ...(repository && { repository }),
  };
}

/**
 * Returns the URL of the repository's page: `https://github.com/owner/name`.
 *
 * @throws Error if the URL does not have the form `git+https://….git`
 */
export function repositoryPage({ url }: NonNullable<Publication["repository"]>): string {
  const found = /^git\+(https:\/\/.+)\.git$/.exec(url);
  if (found?.[1] === undefined) {
    throw new Error(`repository.url of package.json is ${url} (expected git+https://host/owner/name.git)`);
  }
  return found[1];
}
