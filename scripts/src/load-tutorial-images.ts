import { buildImage, type Engine, type KindEvent, loadDockerImages } from "@operator-path/kind";
import type { Tutorial } from "./tutorial.ts";

/** Builds the images whose sources are in the tutorial, and loads them into the nodes. */
export async function loadTutorialImages(
  images: Tutorial["images"],
  cluster: string,
  o: {
    readonly engine: Engine;
    readonly signal: AbortSignal;
    readonly onProgress: (event: KindEvent) => void;
  },
): Promise<void> {
  for (const { image, context } of images) {
    const step = `Image ${image}`;
    const since = performance.now();
    const end = (type: "done" | "failed"): void =>
      o.onProgress({ type, step, seconds: (performance.now() - since) / 1000 });
    o.onProgress({ type: "begun", step });
    try {
      await buildImage(image, context, o);
      await loadDockerImages([image], { ...o, name: cluster });
      end("done");
    } catch (error) {
      end("failed");
      throw error;
    }
  }
}
