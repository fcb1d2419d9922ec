import type { ImageStore } from "@operator-path/kubelet/local-images";

/**
 * Returns the digest of the image that a node last pulled or was given under a name, or undefined. As in every
 * cluster, a Pod without `imagePullPolicy: Always` runs that image, whatever is pushed afterwards.
 */
export function heldImage(store: ImageStore, name: string): string | undefined {
  const [loaded, pulled] = [store.named("loaded", name), store.named("pulled", name)];
  return (loaded && pulled ? (loaded.at > pulled.at ? loaded : pulled) : (loaded ?? pulled))?.digest;
}

/** Warns that a node holds another image under this name, and says what to do. */
export function otherImageHeld(name: string): string {
  return `WARNING: a node already has another image under the name ${name}, and will not pull this one: give it another tag, for example with VERSION=… or IMG=…`;
}
