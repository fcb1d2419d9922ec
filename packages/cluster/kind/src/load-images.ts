import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KindError } from "./errors/kind-error.ts";
import { listClusters } from "./get.ts";
import type { KindOptions } from "./prepare.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { runEngine, runKind, runProgram } from "./run-kind.ts";

export interface LoadImagesOptions extends KindOptions {
  /** Default: `kind`. */
  readonly name?: string;
  /** Default: all. */
  readonly nodes?: readonly string[];
}

/**
 * Copies images of the engine to the nodes, unless they have them. Kubernetes then pulls nothing, unless the
 * tag is `latest`. Throws KindError `image-missing`, `no-cluster`.
 */
export async function loadDockerImages(
  images: readonly string[],
  options: LoadImagesOptions = {},
): Promise<void> {
  if (images.length === 0) return;
  const prepared = await prepare(options);
  // kind's command supports only docker. Any node can read what the other engines save.
  if (prepared.engine.name !== "docker") return loadSaved(prepared, images, options);
  try {
    await kindLoad(prepared, ["docker-image", ...images], images, options);
  } catch (error) {
    // Docker's containerd store saves the index of a multi-platform image, but the layers of one platform.
    const partial = error instanceof KindError && /content digest \S+: not found/.test(error.output ?? "");
    if (!partial) throw error;
    await loadSaved(prepared, images, options);
  }
}

/** Does the same with a file that `docker save` wrote. Throws KindError `file-missing`, `no-cluster`. */
export async function loadImageArchive(file: string, options: LoadImagesOptions = {}): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (!there) {
    const what = `${file} was not loaded`;
    throw new KindError({
      problem: "file-missing",
      what,
      cause: "there is no such file",
      fix: "Check its path.",
    });
  }
  await kindLoad(await prepare(options), ["image-archive", file], [file], options);
}

async function kindLoad(
  prepared: Prepared,
  command: readonly string[],
  what: readonly string[],
  options: LoadImagesOptions,
): Promise<void> {
  const { name = "kind", nodes, signal } = options;
  const args = ["load", ...command, "--name", name, ...(nodes ? ["--nodes", nodes.join(",")] : [])];
  try {
    await runKind(prepared, args, {
      what: `${what.join(", ")} ${what.length === 1 ? "was" : "were"} not loaded into cluster ${name}`,
      cluster: name,
      signal,
    });
  } catch (error) {
    if (!(error instanceof KindError) || error.problem !== "no-cluster") throw error;
    const there = await listClusters(options).catch(() => undefined);
    if (there === undefined || there.includes(name)) throw error;
    const create = `\`pnpm kind-up --name ${name}\` creates it.`;
    const fix =
      there.length === 0
        ? `There are no clusters. ${create}`
        : `Existing clusters: ${there.join(", ")} (--name, KIND_CLUSTER). ${create}`;
    throw new KindError({ problem: error.problem, what: error.what, cause: error.cause, fix });
  }
}

async function loadSaved(
  prepared: Prepared,
  images: readonly string[],
  options: LoadImagesOptions,
): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "kind-load-"));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "images.tar");
  const words = { what: `${images.join(", ")} could not be saved`, signal: options.signal };
  const { stdout } = await runEngine(
    prepared,
    ["image", "inspect", "--format", "{{.Os}}/{{.Architecture}}", ...images],
    words,
  );
  const platform = stdout.trim().split("\n")[0] ?? "";
  const args: Readonly<Record<typeof prepared.engine.name, readonly string[]>> = {
    docker: ["save", "--platform", platform],
    nerdctl: ["save", "--platform", platform],
    podman: ["save", "--multi-image-archive"],
  };
  const names =
    prepared.engine.name === "podman" ? await tagAsDockerCalls(prepared, images, words, undo) : images;
  await runEngine(prepared, [...args[prepared.engine.name], "--output", file, ...names], words);
  await kindLoad(prepared, ["image-archive", file], images, options);
}

/**
 * podman names its builds `localhost/payment:1.0.0`, while a Pod's `payment:1.0.0` is
 * docker.io/library/payment:1.0.0. `undo` restores the previous meaning of that name.
 */
async function tagAsDockerCalls(
  prepared: Prepared,
  images: readonly string[],
  words: { what: string; signal: AbortSignal | undefined },
  undo: AsyncDisposableStack,
): Promise<string[]> {
  const { engine, env } = prepared;
  const idOf = async (image: string) => {
    const args = ["image", "inspect", "--format", "{{.Id}}", image];
    const { failed, stdout } = await runProgram(engine.path, args, { env });
    return failed ? undefined : stdout.trim();
  };
  const names = images.map(fullName);
  for (const [index, name] of names.entries()) {
    const image = images[index] ?? name;
    const before = await idOf(name);
    if (before !== undefined && before === (await idOf(image))) continue;
    await runEngine(prepared, ["tag", image, name], words);
    // Removes only this name. Without a second argument, podman would remove all names.
    const back = before === undefined ? ["untag", name, name] : ["tag", before, name];
    undo.defer(async () => void (await runProgram(engine.path, back, { env })));
  }
  return names;
}

/** Returns containerd's full name: a registry, a repository and a tag. */
export function fullName(image: string): string {
  const [first = "", ...rest] = image.split("/");
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const path = hasRegistry ? image : `docker.io/${rest.length === 0 ? "library/" : ""}${image}`;
  return /[:@][^/]*$/.test(path.slice(path.indexOf("/"))) ? path : `${path}:latest`;
}
