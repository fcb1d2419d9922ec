import type { Clock, Pod } from "@operator-path/client";
import { createBackOff } from "../pod/back-off.ts";
import type { RecordEvent } from "../pod/types.ts";
import type { SimulatedImage } from "../runtime/contracts.ts";
import { type ImageCatalog, imageDigest, imageSize } from "./catalog.ts";
import { type ImageReference, parseImageReference } from "./reference.ts";

/** An image that the node holds. */
interface PresentImage {
  reference: ImageReference;
  digest: string;
  image: SimulatedImage;
}

/** Thrown while a container waits for its image, with reason and message of the waiting state. */
export class ImageError extends Error {
  readonly reason: string;
  /** How long to wait before the next attempt, in ms. */
  readonly retryAfter: number;
  constructor(reason: string, message: string, retryAfter: number) {
    super(message);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** The images of one node. Pulls images and applies the back-off of failed pulls. */
export interface ImageManager {
  /**
   * Returns the image, pulled if the policy requires it. Records the kubelet's Events.
   * @throws ImageError with InvalidImageName, ErrImageNeverPull, ErrImagePull or ImagePullBackOff
   */
  ensure(pod: Pod, image: string, policy: string | undefined, record: RecordEvent): Promise<PresentImage>;
  /** Whether the image is known to be local, so that its containers are processes of the host. */
  isLocal(image: string): boolean;
  /** Returns the images for the Node's status. */
  list(): { names: string[]; sizeBytes: number }[];
}

/** The delay after a failed pull. The next attempt then reports ImagePullBackOff. */
const RETRY_MS = 1000;

export function createImageManager(options: {
  catalog: ImageCatalog;
  clock: Clock;
  random: () => number;
}): ImageManager {
  const { catalog, clock } = options;
  const present = new Map<string, PresentImage & { since?: number }>();
  const backOff = createBackOff();
  const lastError = new Map<string, string>();
  const resolve = (reference: ImageReference): PresentImage | undefined => {
    const image = catalog.find(reference);
    return image && { reference, digest: imageDigest(reference, image), image };
  };
  for (const name of catalog.preloaded()) {
    const reference = parseImageReference(name);
    const found = reference && resolve(reference);
    if (found) present.set(found.reference.name, found);
  }

  return {
    async ensure(pod, requested, explicitPolicy, record) {
      const reference = parseImageReference(requested);
      if (!reference) {
        const message = `Failed to apply default image tag "${requested}": couldn't parse image name "${requested}": invalid reference format`;
        record("Warning", "InspectFailed", message);
        record("Warning", "Failed", "Error: InvalidImageName");
        throw new ImageError("InvalidImageName", message, RETRY_MS * 10);
      }
      const policy = explicitPolicy ?? (reference.tag === "latest" ? "Always" : "IfNotPresent");
      const loaded = catalog.loaded?.(reference);
      const { since = 0 } = present.get(reference.name) ?? {};
      if (loaded && loaded.at > since) {
        const { image, at } = loaded;
        present.set(reference.name, { reference, digest: imageDigest(reference, image), image, since: at });
      }
      const existing = present.get(reference.name);
      if (policy !== "Always" && existing) {
        const message = `Container image "${requested}" already present on machine and can be accessed by the pod`;
        record("Normal", "Pulled", message);
        return existing;
      }
      if (policy === "Never") {
        const message = `Container image "${requested}" is not present with pull policy of Never`;
        record("Warning", "ErrImageNeverPull", message);
        record("Warning", "Failed", "Error: ErrImageNeverPull");
        throw new ImageError("ErrImageNeverPull", message, RETRY_MS * 10);
      }

      const key = `${pod.metadata?.uid}_${requested}`;
      const wait = backOff.remaining(key, backOff.lastUpdate(key), clock.steady());
      if (wait > 0) {
        const message = `Back-off pulling image "${requested}"`;
        record("Normal", "BackOff", message);
        record("Warning", "Failed", "Error: ImagePullBackOff");
        throw new ImageError(
          "ImagePullBackOff",
          `${message}: ErrImagePull: ${lastError.get(key) ?? ""}`,
          wait,
        );
      }
      record("Normal", "Pulling", `Pulling image "${requested}"`);
      // The simulated pull takes 20 to 60 ms, long enough to appear in a watch.
      const started = clock.now();
      await clock.sleep(20 + Math.floor(options.random() * 40));
      const pulled = resolve(reference);
      if (!pulled) {
        const message = pullError(reference);
        record("Warning", "Failed", `Failed to pull image "${requested}": ${message}`);
        record("Warning", "Failed", "Error: ErrImagePull");
        backOff.next(key, clock.steady());
        lastError.set(key, message);
        for (const other of lastError.keys()) if (backOff.lastUpdate(other) === 0) lastError.delete(other);
        throw new ImageError("ErrImagePull", message, RETRY_MS);
      }
      const took = `${clock.now() - started}ms`;
      const size = imageSize(pulled.image, reference.tag ?? "latest");
      record(
        "Normal",
        "Pulled",
        `Successfully pulled image "${requested}" in ${took} (${took} including waiting). Image size: ${size} bytes.`,
      );
      present.set(reference.name, { ...pulled, since: clock.now() });
      catalog.pulled?.(reference, pulled.image);
      return pulled;
    },
    isLocal(requested) {
      const reference = parseImageReference(requested);
      if (!reference) return false;
      const image =
        present.get(reference.name)?.image ?? catalog.loaded?.(reference)?.image ?? catalog.find(reference);
      return image?.local !== undefined;
    },
    list: () =>
      [...present.values()].map(({ reference, digest, image }) => ({
        names: [`${reference.repository}@${digest}`, reference.name],
        sizeBytes: imageSize(image, reference.tag ?? "latest"),
      })),
  };
}

/** Returns containerd's gRPC error for an image that the registry does not have. */
function pullError(reference: ImageReference): string {
  const { name, registry } = reference;
  const failed = `failed to pull and unpack image "${name}": failed to resolve reference "${name}"`;
  if (registry === "docker.io") {
    // Docker Hub does not distinguish a private repository from a missing one.
    return `rpc error: code = Unknown desc = ${failed}: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`;
  }
  return `rpc error: code = NotFound desc = ${failed}: ${name}: not found`;
}
