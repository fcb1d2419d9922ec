import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { type ImageManifest, type ImageStore, imageTools } from "@operator-path/kubelet/local-images";
import { create, extract } from "tar";
import { z } from "zod";
import { UserError } from "../user-error.ts";

const index = z.array(
  z.object({ name: z.string().regex(/^[\w.:/@-]{1,512}$/), folder: z.string().regex(/^\d+$/) }),
);

const path = z
  .string()
  .refine(
    (text) => posix.resolve("/", text) === text && !text.includes("\0"),
    "not an absolute, normalised path",
  );
const words = z.array(z.string()).optional();

/** The part of an image's manifest that an archive may contain. Nothing in it refers to this machine. */
const manifest = z.object({
  base: z.string(),
  flavour: z.enum(["distroless", "debian", "alpine"]),
  config: z.object({
    entrypoint: words,
    cmd: words,
    env: z.record(z.string(), z.string()).optional(),
    user: z.string().optional(),
    workingDir: path.optional(),
    stopSignal: z
      .string()
      .regex(/^SIG[A-Z0-9]+$/)
      .optional(),
    exposedPorts: words,
    labels: z.record(z.string(), z.string()).optional(),
  }),
  files: z.array(
    z.object({
      path,
      type: z.enum(["file", "folder"]),
      mode: z.literal([0o755, 0o644]),
      size: z.int().min(0),
      sha256: z.string().regex(/^(?:[0-9a-f]{64})?$/),
    }),
  ),
  links: z.array(z.object({ path })),
  // The path on this machine is looked up here, never read from an archive.
  tools: z
    .array(z.object({ path, tool: z.enum(imageTools), version: z.string().regex(/^[\w.+-]{1,64}$/) }))
    .optional(),
});

/**
 * Writes images to a tar file: `images.json` lists them, and each has a folder with its manifest and its
 * files. References to this machine (node_modules) are left out.
 */
export async function saveImages(store: ImageStore, names: readonly string[], file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "container-tool-"));
  try {
    const entries = [];
    for (const [i, name] of names.entries()) {
      const image = store.image(store.named("built", name)?.digest ?? "");
      if (image === undefined) throw new UserError(`No such image: ${name}`);
      await mkdir(join(folder, String(i)));
      await cp(image.root, join(folder, String(i), "root"), { recursive: true });
      await writeFile(join(folder, String(i), "manifest.json"), JSON.stringify(image.manifest));
      entries.push({ name, folder: String(i) });
    }
    await writeFile(join(folder, "images.json"), JSON.stringify(entries));
    await create({ cwd: folder, file, portable: true }, [
      "images.json",
      ...entries.map((entry) => entry.folder),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An image read from an archive. */
export interface ReadImage {
  readonly name: string;
  readonly digest: string;
  /** Paths that referred to the project's node_modules, and no longer do. */
  readonly left: readonly string[];
}

/**
 * Reads an archive of saveImages(), without trusting it: nothing may lead out of the image. References to
 * folders of this machine (node_modules) are dropped, because an archive could name any folder.
 *
 * @throws UserError if the file is not such an archive. Then no image is added
 */
export async function readImages(store: ImageStore, file: string): Promise<ReadImage[]> {
  const folder = await mkdtemp(join(tmpdir(), "container-tool-"));
  const wrong = (why: string) =>
    new UserError(
      `${file} was not written by \`container-tool save\` (${why}). docker's archives cannot be loaded here`,
    );
  try {
    // A valid archive has no links, and they could lead out of the folder.
    await extract({
      cwd: folder,
      file,
      strict: true,
      filter: (_, entry) => !("type" in entry) || /^(?:File|Directory)$/.test(entry.type),
    }).catch((error: Error) => {
      throw wrong(error.message);
    });
    const listed = await readFile(join(folder, "images.json"), "utf8").then(
      (text) => index.safeParse(parse(text)).data,
      () => undefined,
    );
    if (listed === undefined) throw wrong("no images.json");
    const images = await Promise.all(
      listed.map(async (entry) => {
        const text = await readFile(join(folder, entry.folder, "manifest.json"), "utf8").catch(() => "");
        const { data, error } = manifest.safeParse(parse(text));
        if (error) throw wrong(`the manifest of ${entry.name}: ${z.prettifyError(error)}`);
        return { ...entry, manifest: data };
      }),
    );
    const found: ReadImage[] = [];
    for (const { name, folder: own, manifest: read } of images) {
      const { digest } = await store
        .add({ ...read, links: [] } as ImageManifest, (path) => join(folder, own, "root", join("/", path)))
        .catch((error: Error) => {
          throw wrong(`${name}: ${error.message.replaceAll(folder, "")}`);
        });
      found.push({ name, digest, left: read.links.map((link) => link.path) });
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
