import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KindError } from "@operator-path/kind";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../tutorials");

/** The files of a tutorial that its cluster needs. */
export interface Tutorial {
  /** The name of its folder. */
  readonly name: string;
  /** The path of its kind-cluster.yaml. */
  readonly config: string;
  /** Images whose Dockerfile is in a folder of the tutorial: `payment:1.0.0` in `payment`. */
  readonly images: readonly { readonly image: string; readonly context: string }[];
}

/** Returns the names of all tutorials. */
export function tutorials(): string[] {
  return globSync("[0-9]*-*", { cwd: folder }).sort();
}

/** Finds a tutorial by its folder's name or by the number that starts the name. Throws KindError for an unknown one. */
export function findTutorial(name: string): Tutorial {
  const all = tutorials();
  const found = all.find((each) => each === name || each.split("-")[0] === name.padStart(2, "0"));
  if (found === undefined) {
    const [what, cause] = [`tutorial ${name}`, "it does not exist"];
    throw new KindError({ problem: "file-missing", what, cause, fix: `There are ${all.join(", ")}.` });
  }
  const pages = globSync("[0-9]*.md", { cwd: join(folder, found) });
  const wanted = pages.flatMap((page) => imagesOf(readFileSync(join(folder, found, page), "utf8")));
  const images = [...new Set(wanted)].flatMap((image) => {
    const context = join(folder, found, image.replace(/:[^:]*$/, ""));
    return existsSync(join(context, "Dockerfile")) ? [{ image, context }] : [];
  });
  return { name: found, config: join(folder, found, "kind-cluster.yaml"), images };
}

/** Returns the images of a page's front matter. Parses it here, because the page parser takes a second to load. */
function imagesOf(page: string): string[] {
  const [, frontMatter = ""] = page.split(/^---$/m);
  const { images = [] } = (parse(frontMatter) ?? {}) as { images?: unknown };
  return Array.isArray(images) ? images.map(String) : [];
}
