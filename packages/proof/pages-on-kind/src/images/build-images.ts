import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import type { Engine } from "@operator-path/kind";
import { ExecaError, execa } from "execa";
import { fillRoot } from "./fill-root.ts";
import type { ImageRecipe } from "./recipe.ts";
import { recipes } from "./recipes.ts";

/** The engine's image has it, so that what is there already is not made again. */
const label = "operator-path.recipe";
const dockerfiles = join(import.meta.dirname, "../../images");

export interface BuildImagesOptions {
  readonly engine: Engine;
  readonly signal?: AbortSignal;
  /** Told of each image, when it is there. */
  readonly onProgress?: (done: { name: string; built: boolean; seconds: number }) => void;
}

/** The engine's name of an image: `operator-path-proof/busybox`. No registry has it. */
export function imageName(recipe: Pick<ImageRecipe, "name">): string {
  return `operator-path-proof/${recipe.name}`;
}

/**
 * Makes every image that is not in the engine yet, or was made of something else. A minute the first time.
 * @throws UserError naming what this machine lacks; images that were made until then stay, whole
 */
export async function buildImages(o: BuildImagesOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-images-"));
  try {
    for (const recipe of recipes) {
      const begin = performance.now();
      const built = await buildImage(recipe, folder, o);
      o.onProgress?.({ name: imageName(recipe), built, seconds: (performance.now() - begin) / 1000 });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildImage(recipe: ImageRecipe, folder: string, o: BuildImagesOptions): Promise<boolean> {
  const name = imageName(recipe);
  const source = join(dockerfiles, dirname(recipe.dockerfile));
  const hash = await hashOf(recipe, source);
  if ((await labelOf(name, o)) === hash) return false;
  const context = join(folder, recipe.name);
  const downloads = join(folder, "debian");
  await mkdir(join(context, "root"), { recursive: true });
  await mkdir(downloads, { recursive: true });
  await fillRoot(recipe, join(context, "root"), { downloads, folder, ...(o.signal && { signal: o.signal }) });
  await cp(source, context, { recursive: true });
  const file = join(context, basename(recipe.dockerfile));
  await inEngine(["build", "--quiet", "--label", `${label}=${hash}`, "-t", name, "-f", file, context], o);
  await rm(context, { recursive: true });
  return true;
}

/** Changes with the recipe, with the files beside its Dockerfile, and with the Node that is put into one of them. */
async function hashOf(recipe: ImageRecipe, source: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(recipe)).update(process.version);
  for (const file of (await readdir(source)).sort())
    hash.update(file).update(await readFile(join(source, file)));
  return hash.digest("hex").slice(0, 32);
}

async function labelOf(name: string, o: BuildImagesOptions): Promise<string | undefined> {
  const format = `{{index .Config.Labels "${label}"}}`;
  const { exitCode, stdout } = await execa(o.engine.path, ["image", "inspect", "--format", format, name], {
    reject: false,
    ...(o.signal && { cancelSignal: o.signal }),
  });
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** One command of the engine. @throws UserError with the engine's last words */
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
