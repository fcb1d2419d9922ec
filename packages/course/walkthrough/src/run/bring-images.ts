import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ClusterImages } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run-options.ts";
import { runProgram } from "./run-program.ts";

/**
 * Brings the images of a page to the nodes of a cluster whose Pods are containers, so that as little as possible is pulled:
 * an image whose name is that of a folder of the tutorial with a Dockerfile is built, one that the local engine has is
 * taken from there, and any other is left to the nodes. Throws an Error with the program's output.
 */
export async function bringImages(
  page: Page,
  images: ClusterImages,
  environment: RunEnvironment,
  { reporter, signal }: Pick<RunOptions, "reporter" | "signal">,
): Promise<void> {
  if (!images.containers) return;
  const tutorial = dirname(resolve(page.path));
  const run = (...args: string[]) =>
    runProgram(images.tool, args, { cwd: environment.work, env: environment.env, signal });
  const must = async (...args: string[]): Promise<void> => {
    const { status, output } = await run(...args);
    if (status !== 0)
      throw new Error(
        `an image of ${page.path}: \`${args.join(" ")}\` ended with ${status}:\n${output.trim()}`,
      );
  };
  const left: string[] = [];
  for (const image of page.frontMatter.images) {
    const folder = imageFolder(tutorial, image);
    const ours = existsSync(join(folder, "Dockerfile"));
    if (ours) {
      reporter?.doing?.(`build the image ${image}`, 1);
      await must("build", "-t", image, folder);
    }
    if (ours || (await run("image", "inspect", image)).status === 0) {
      reporter?.doing?.(`load the image ${image} into the nodes`, 1);
      await must("push", image);
    } else left.push(image);
  }
  const [first, ...others] = left;
  if (first !== undefined)
    reporter?.note?.(
      others.length === 0
        ? `${first} is not in the engine: the nodes pull it`
        : `${left.join(", ")} are not in the engine: the nodes pull them`,
    );
}

/** `payment:1.0.0` → the tutorial's `payment`, whether or not it is there. */
export function imageFolder(tutorial: string, image: string): string {
  const name = image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  // A name with a registry or an owner in it is somebody else's.
  return join(tutorial, name.includes("/") ? "." : name);
}
