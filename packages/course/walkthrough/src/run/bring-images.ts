import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ClusterImages } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run-options.ts";
import { runProgram } from "./run-program.ts";

/**
 * Brings the images of a page to the nodes of a cluster whose Pods are containers. Builds an image if the
 * tutorial has a folder of its name with a Dockerfile, and loads the images that the local engine has. The
 * nodes pull the others: a note of the reporter names them. Throws an Error with the output of a program that
 * fails.
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

/**
 * Returns the folder of the tutorial that an image would be built from: `payment:1.0.0` → `payment`. It may
 * be missing.
 */
export function imageFolder(tutorial: string, image: string): string {
  const name = image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  // A name with a registry or an owner in it is not from the tutorial.
  return join(tutorial, name.includes("/") ? "." : name);
}
