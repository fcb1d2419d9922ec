import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What every published package says about its origin. The root package.json is the only place that holds it. */
export interface Publication {
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string | { readonly url: string };
  /** Missing as long as there is no public repository. */
  readonly repository?: { readonly type: "git"; readonly url: string };
}

/**
 * Reads keywords, homepage, bugs and repository of the root package.json.
 *
 * @param root the checkout's root folder
 * @throws Error when repository is not `{ "type": "git", "url": "git+https://….git" }`
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

/** The repository's page in a browser: `https://github.com/owner/name`. */
export function repositoryPage({ url }: NonNullable<Publication["repository"]>): string {
  const found = /^git\+(https:\/\/.+)\.git$/.exec(url);
  if (found?.[1] === undefined) {
    throw new Error(`repository.url of package.json is ${url} (expected git+https://host/owner/name.git)`);
  }
  return found[1];
}
