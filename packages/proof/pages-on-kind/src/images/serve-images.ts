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
  // docker takes a registry of this machine without TLS; podman wants to be told.
  const withoutTls = o.engine.name === "podman" ? ["--tls-verify=false"] : [];
  for (const recipe of recipes) {
    for (const name of recipe.servedAs) {
      const there = `${registry.host}/${name}`;
      await inEngine(["tag", imageName(recipe), there], o);
      try {
        await inEngine(["push", ...withoutTls, there], o);
      } finally {
        await inEngine(["rmi", there], { engine: o.engine });
      }
    }
  }
}
