import type { ImageCatalog } from "../images/catalog.ts";
import type { ImageReference } from "../images/reference.ts";
import type { SimulatedImage } from "../runtime/contracts.ts";
import { localImage } from "./local-image.ts";
import type { ProcessHost } from "./process-host.ts";

/** Simulated images first, then what was pushed to the cluster; what was loaded is on every node. */
export function withLocalImages(simulated: ImageCatalog, host: ProcessHost): ImageCatalog {
  const known = new Map<string, SimulatedImage>();
  const make = (reference: ImageReference, digest: string) => {
    const key = `${reference.name} ${digest}`;
    const image = known.get(key) ?? imageOf(reference, digest);
    if (image) known.set(key, image);
    return image;
  };
  const imageOf = (reference: ImageReference, digest: string) => {
    const local = host.images.image(digest);
    return local && localImage(reference, local, host);
  };
  return {
    preloaded: () => simulated.preloaded(),
    find(reference) {
      const found = simulated.find(reference);
      if (found) return found;
      const pushed = host.images.named("pushed", reference.name);
      if (pushed) return make(reference, pushed.digest);
      // By digest: whatever was pushed under this repository's name.
      if (!reference.digest) return undefined;
      const named = host.images
        .names("pushed")
        .find(
          ({ digest, name }) => digest === reference.digest && name.startsWith(`${reference.repository}:`),
        );
      return named && make(reference, named.digest);
    },
    loaded(reference) {
      const named = host.images.named("loaded", reference.name);
      const image = named && !simulated.find(reference) && make(reference, named.digest);
      return named && image ? { image, at: named.at } : undefined;
    },
  };
}
