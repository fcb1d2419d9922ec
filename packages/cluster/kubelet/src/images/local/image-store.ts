import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { ImageManifest } from "./manifest.ts";

/** An image built on this machine. */
export interface LocalImage {
  /** `sha256:` and 64 hexadecimal digits. Images with the same content have the same digest. */
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** Folder of the host that holds the image's files. Read-only. */
  readonly root: string;
  /** Size of the image's own files in bytes. */
  readonly size: number;
}

/**
 * The list to which a name belongs: `built` is what `docker images` would show, `pushed` what nodes can pull,
 * `loaded` what nodes hold without pulling, `pulled` what a node has pulled last.
 */
export type NameList = "built" | "pushed" | "loaded" | "pulled";

export interface NamedImage {
  /** The full name: `docker.io/library/podbuggertool:v0.1.0`. */
  readonly name: string;
  readonly digest: string;
  /** ms since epoch. */
  readonly at: number;
}

/**
 * The images of one cluster, in a folder that only this user can read. Several processes may use it at once
 * and never see a partial image or name: an image is written to a draft folder that is then renamed to its
 * digest, and a name is a file that is replaced as a whole.
 */
export interface ImageStore {
  readonly folder: string;
  /**
   * Adds an image whose files match the manifest.
   * @param fileOf returns the bytes of a file of the manifest, or the path of a file that holds them
   * @throws Error that names the file when its path is not absolute and normalised, or its bytes do not match
   */
  add(manifest: ImageManifest, fileOf: (path: string) => string | Uint8Array): Promise<LocalImage>;
  image(digest: string): LocalImage | undefined;
  /** Gives a name to an image. The name may have belonged to another image. */
  name(list: NameList, name: string, digest: string): void;
  named(list: NameList, name: string): NamedImage | undefined;
  names(list: NameList): NamedImage[];
  /**
   * Removes a name. The image stays, because a node that holds it still starts its containers.
   * @returns whether the name existed
   */
  unname(list: NameList, name: string): boolean;
}

/**
 * Opens the store. Creates no folder before the first image is added.
 * @param now returns ms since epoch
 */
export function openImageStore(folder: string, now: () => number = Date.now): ImageStore {
  const fileOfName = (list: NameList, name: string) => join(folder, list, `${hash(name).slice(0, 40)}.json`);
  const folderOf = (digest: string) => join(folder, "images", digest.replace(":", "-"));
  const images = new Map<string, LocalImage>();

  function image(digest: string): LocalImage | undefined {
    const existing = images.get(digest);
    if (existing) return existing;
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
      const existing = image(digest);
      if (existing) return existing;
      const draft = join(folder, `draft-${randomBytes(6).toString("hex")}`);
      await mkdir(join(draft, "root"), { recursive: true, mode: 0o700 });
      try {
        for (const file of manifest.files) await addFile(join(draft, "root", file.path), file, fileOf);
        await writeFile(join(draft, "manifest.json"), text);
        await mkdir(dirname(folderOf(digest)), { recursive: true });
        // Another process may have built the same image meanwhile.
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

async function addFile(
  path: string,
  file: ImageManifest["files"][number],
  fileOf: (path: string) => string | Uint8Array,
): Promise<void> {
  // A file outside of the image's root is rejected.
  if (posix.resolve("/", file.path) !== file.path || file.path.includes("\0"))
    throw new Error(`${JSON.stringify(file.path)} is not an absolute, normalised path`);
  if (file.type === "folder") return void (await mkdir(path, { recursive: true }));
  await mkdir(dirname(path), { recursive: true });
  const source = fileOf(file.path);
  if (typeof source === "string") await copyFile(source, path);
  else await writeFile(path, source);
  const content = await readFile(path);
  if (content.length !== file.size || hash(content) !== file.sha256)
    throw new Error(`${file.path} does not match the image's manifest`);
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
