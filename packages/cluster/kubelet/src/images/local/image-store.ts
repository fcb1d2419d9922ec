import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { ImageManifest } from "./manifest.ts";

/** An image that a person has built. */
export interface LocalImage {
  /** `sha256:` and 64 hexadecimal digits: of what is in it, so the same content has the same digest. */
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** Folder of the host with the image's files below it. Not to be written to. */
  readonly root: string;
  /** Bytes of its own files. */
  readonly size: number;
}

/**
 * Where a name counts: `built` is what `docker images` would show, `pushed` what nodes can pull, `loaded` what nodes
 * hold without pulling.
 */
export type NameList = "built" | "pushed" | "loaded";

export interface NamedImage {
  /** In full: `docker.io/library/podbuggertool:v0.1.0`. */
  readonly name: string;
  readonly digest: string;
  /** ms since epoch. */
  readonly at: number;
}

/**
 * The images of one cluster, in a folder that only this user can read. Several processes may use it at once and never
 * see half an image or name: an image is made aside and moved to its digest, and a name is a file that is replaced as a
 * whole.
 */
export interface ImageStore {
  readonly folder: string;
  /**
   * Takes an image in, if its files are what the manifest says of them.
   * @param fileOf where the bytes of each of the manifest's files are
   * @throws Error naming the file: its path is not an absolute, normalised one, or its bytes are others
   */
  add(manifest: ImageManifest, fileOf: (path: string) => string | Uint8Array): Promise<LocalImage>;
  image(digest: string): LocalImage | undefined;
  /** Gives an image a name, which another one may have had. */
  name(list: NameList, name: string, digest: string): void;
  named(list: NameList, name: string): NamedImage | undefined;
  names(list: NameList): NamedImage[];
  /**
   * The image itself stays: a node that holds it starts containers of it again.
   * @returns whether there was such a name
   */
  unname(list: NameList, name: string): boolean;
}

/** Nothing is made before something is added. @param now ms since epoch */
export function openImageStore(folder: string, now: () => number = Date.now): ImageStore {
  const fileOfName = (list: NameList, name: string) => join(folder, list, `${hash(name).slice(0, 40)}.json`);
  const folderOf = (digest: string) => join(folder, "images", digest.replace(":", "-"));
  const images = new Map<string, LocalImage>();

  function image(digest: string): LocalImage | undefined {
    const known = images.get(digest);
    if (known) return known;
    const manifest = readJson<ImageManifest>(join(folderOf(digest), "manifest.json"));
    if (manifest === undefined) return undefined;
    const size = manifest.files.reduce((sum, file) => sum + file.size, 0);
    const found = { digest, manifest, root: join(folderOf(digest), "root"), size };
    images.set(digest, found);
    return found;
  }

  const names = (list: NameList) =>
    entries(join(folder, list))
      .flatMap((file) => readJson<NamedImage>(join(folder, list, file)) ?? [])
      .sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));

  return {
    folder,
    image,
    names,
    async add(manifest, fileOf) {
      const text = JSON.stringify(manifest);
      const digest = `sha256:${hash(text)}`;
      const known = image(digest);
      if (known) return known;
      const draft = join(folder, `draft-${randomBytes(6).toString("hex")}`);
      await mkdir(join(draft, "root"), { recursive: true, mode: 0o700 });
      try {
        for (const file of manifest.files) await put(join(draft, "root", file.path), file, fileOf);
        await writeFile(join(draft, "manifest.json"), text);
        await mkdir(dirname(folderOf(digest)), { recursive: true });
        // Another process may have built the very same image meanwhile: then there is nothing to do.
        await rename(draft, folderOf(digest)).catch((error: unknown) => {
          if (image(digest) === undefined) throw error;
        });
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      const added = image(digest);
      if (added === undefined) throw new Error(`the image ${digest} is not in ${folder} after it was added`);
      return added;
    },
    name(list, name, digest) {
      const path = fileOfName(list, name);
      const draft = `${path}.${randomBytes(6).toString("hex")}`;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify({ name, digest, at: now() } satisfies NamedImage));
      renameSync(draft, path);
    },
    named: (list, name) => readJson<NamedImage>(fileOfName(list, name)),
    unname(list, name) {
      const path = fileOfName(list, name);
      if (readJson<NamedImage>(path) === undefined) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}

async function put(
  path: string,
  file: ImageManifest["files"][number],
  fileOf: (path: string) => string | Uint8Array,
): Promise<void> {
  // What a manifest names is below the image's root, or nowhere.
  if (posix.resolve("/", file.path) !== file.path || file.path.includes("\0"))
    throw new Error(`${JSON.stringify(file.path)} is no absolute, normalised path`);
  if (file.type === "folder") return void (await mkdir(path, { recursive: true }));
  await mkdir(dirname(path), { recursive: true });
  const source = fileOf(file.path);
  if (typeof source === "string") await copyFile(source, path);
  else await writeFile(path, source);
  const content = await readFile(path);
  if (content.length !== file.size || hash(content) !== file.sha256)
    throw new Error(`${file.path} has other bytes than the image's manifest says`);
  await chmod(path, file.mode);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".json"));
  } catch {
    return [];
  }
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

function hash(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
