import type { Registry } from "@operator-path/kind";
import { type BuildImagesOptions, imageName, inEngine } from "./build-images.ts";
import { recipes } from "./recipes.ts";

/**
 * Puts what the pages' Pods name into a registry, under its usual name, so that nodes that ask it in the place of docker.io pull
 * it. The names in the engine with which that is done are removed again.
 */
export async function serveImages(
  registry: Pick<Registry, "host">,
  o: Pick<BuildImagesOptions, "engine" | "signal">,
): Promise<void> {
  for (const recipe of recipes) {
    for (const name of recipe.servedAs) {
      const there = `${registry.host}/${name}`;
      await inEngine(["tag", imageName(recipe), there], o);
      try {
        await inEngine(["push", there], o);
      } finally {
        await inEngine(["rmi", there], { engine: o.engine });
      }
    }
  }
}
