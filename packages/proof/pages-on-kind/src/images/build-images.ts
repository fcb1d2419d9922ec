import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import type { Engine, Registry } from "@operator-path/kind";
import { ExecaError, execa } from "execa";
import { fillRoot } from "./fill-root.ts";
import type { ImageRecipe } from "./recipe.ts";
import { recipes } from "./recipes.ts";

/** A label of the engine's image: an image with the same hash is not rebuilt. */
const label = "operator-path.recipe";
const dockerfiles = join(import.meta.dirname, "../../images");

export interface BuildImagesOptions {
  readonly engine: Engine;
  readonly signal?: AbortSignal;
  /** Called for each image when it exists. */
  readonly onProgress?: (done: { name: string; built: boolean; seconds: number }) => void;
}

/** Returns the engine's name of an image: `operator-path-proof/busybox`. No registry has it. */
export function imageName(recipe: Pick<ImageRecipe, "name">): string {
  return `operator-path-proof/${recipe.name}`;
}

/**
 * Builds every image that the engine lacks or whose sources have changed. The first run takes a minute.
 * @throws UserError naming what this machine lacks; finished images stay
 */
export async function buildImages(options: BuildImagesOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-images-"));
  try {
    for (const recipe of recipes) {
      const begin = performance.now();
      const built = await buildImage(recipe, folder, options);
      options.onProgress?.({ name: imageName(recipe), built, seconds: (performance.now() - begin) / 1000 });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildImage(
  recipe: ImageRecipe,
  folder: string,
  options: BuildImagesOptions,
): Promise<boolean> {
  const name = imageName(recipe);
  const source = join(dockerfiles, dirname(recipe.dockerfile));
  const hash = await hashOf(recipe, source);
  if ((await labelOf(name, options)) === hash) return false;
  const context = join(folder, recipe.name);
  const downloads = join(folder, "debian");
  await mkdir(join(context, "root"), { recursive: true });
  await mkdir(downloads, { recursive: true });
  await fillRoot(recipe, join(context, "root"), {
    downloads,
    folder,
    ...(options.signal && { signal: options.signal }),
  });
  await cp(source, context, { recursive: true });
  const file = join(context, basename(recipe.dockerfile));
  await inEngine(
    ["build", "--quiet", "--label", `${label}=${hash}`, "-t", name, "-f", file, context],
    options,
  );
  await rm(context, { recursive: true });
  return true;
}

/**
 * Returns a hash of the recipe, the files beside its Dockerfile, and the Node that one of the images
 * contains.
 */
async function hashOf(recipe: ImageRecipe, source: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(recipe)).update(process.version);
  for (const file of (await readdir(source)).sort())
    hash.update(file).update(await readFile(join(source, file)));
  return hash.digest("hex").slice(0, 32);
}

async function labelOf(name: string, options: BuildImagesOptions): Promise<string | undefined> {
  const format = `{{index .Config.Labels "${label}"}}`;
  const { exitCode, stdout } = await execa(
    options.engine.path,
    ["image", "inspect", "--format", format, name],
    {
      reject: false,
      ...(options.signal && { cancelSignal: options.signal }),
    },
  );
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** Runs one command of the engine. @throws UserError with the engine's last line */
export async function inEngine(
  args: readonly string[],
  { engine, signal }: Pick<BuildImagesOptions, "engine" | "signal">,
): Promise<string> {
  try {
    const { stdout } = await execa(engine.path, [...args], signal ? { cancelSignal: signal } : {});
    return stdout;
  } catch (error) {
    if (!(error instanceof ExecaError) || error.isCanceled) throw error;
    throw new UserError(
      `${engine.name} ${args.join(" ")} failed: ${(error.stderr ?? "").trim().split("\n").at(-1)}`,
    );
  }
}

/**
 * Pushes the images of the pages' Pods into a registry under their usual names, so that nodes pull them from
 * it instead of docker.io. Removes the temporary names from the engine.
 */
export async function serveImages(
  registry: Pick<Registry, "host">,
  options: Pick<BuildImagesOptions, "engine" | "signal">,
): Promise<void> {
  // docker accepts a registry of this machine without TLS. podman needs a flag.
  const withoutTls = options.engine.name === "podman" ? ["--tls-verify=false"] : [];
  for (const recipe of recipes) {
    for (const name of recipe.servedAs) {
      const there = `${registry.host}/${name}`;
      await inEngine(["tag", imageName(recipe), there], options);
      try {
        await inEngine(["push", ...withoutTls, there], options);
      } finally {
        await inEngine(["rmi", there], { engine: options.engine });
      }
    }
  }
}
