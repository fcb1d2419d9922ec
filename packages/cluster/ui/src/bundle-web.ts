import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { BuildOptions, BuildResult } from "esbuild";
import type { WebBundle, WebFile } from "./server/web-bundle.ts";

export interface BundleWebOptions {
  /** The file that starts the page: TypeScript, with JSX for preact. Absolute. It may import CSS. */
  readonly entry: string;
  /** Parts of the names of fonts that the first paint needs. Default: none. */
  readonly preload?: readonly string[];
  /** The folder that keeps results until a source changes. Default: each call bundles again. */
  readonly cache?: string;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** The manifest of a bundle in a folder, beside its files. */
interface StoredBundle {
  readonly script: string;
  readonly styles: readonly string[];
  readonly preload: readonly string[];
  /** By path in the page: the file in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The hash of each source, by path from the entry's folder. A bundle is fresh as long as all are equal. */
  readonly sources: Readonly<Record<string, string>>;
}

const manifestName = "bundle.json";

/**
 * Bundles a page's scripts, styles and fonts with esbuild, minified. Modules that are imported lazily become
 * files of their own. The result refers to nothing on the network.
 *
 * @throws Error with esbuild's messages, which name file and line; or if esbuild is not installed
 */
export async function bundleWeb(options: BundleWebOptions): Promise<WebBundle> {
  const { entry, cache, preload = [] } = options;
  const base = dirname(entry);
  const folder = cache && join(cache, createHash("sha256").update(entry).digest("hex").slice(0, 12));
  const kept = folder && (await readFresh(folder, base));
  if (kept) return { ...kept, preload };
  const result = await build({ ...settings, entryPoints: [entry] });
  const bundle = { ...bundleOf(result, entry), preload };
  if (folder) await writeBundle(folder, bundle, await sourcesOf(result, base));
  return bundle;
}

/**
 * Reads a bundle that `writeBundle` wrote, for example when the package was published.
 *
 * @throws Error if the folder has none
 */
export async function readBundle(folder: string): Promise<WebBundle> {
  const stored = JSON.parse(await readFile(join(folder, manifestName), "utf8")) as StoredBundle;
  const files = await Promise.all(
    Object.entries(stored.files).map(
      async ([path, file]) => [path, webFile(path, await readFile(join(folder, file)))] as const,
    ),
  );
  const { script, styles, preload } = stored;
  return { script, styles, preload, files: new Map(files) };
}

/** Writes a bundle to a folder: its files, and then the manifest that names them. */
export async function writeBundle(
  folder: string,
  { files, script, styles, preload }: WebBundle,
  sources: StoredBundle["sources"] = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = [...files.keys()].map((path) => [path, basename(path)]);
  await Promise.all([...files].map(([path, { body }]) => replace(join(folder, basename(path)), body)));
  const stored: StoredBundle = { script, styles, preload, files: Object.fromEntries(names), sources };
  await replace(join(folder, manifestName), JSON.stringify(stored));
}

const settings = {
  outdir: "/assets",
  bundle: true,
  write: false,
  minify: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2023",
  metafile: true,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  conditions: ["@operator-path/source"],
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file", ".svg": "file" },
  publicPath: "/assets",
  logLevel: "silent",
} as const satisfies BuildOptions;

type Built = BuildResult<typeof settings>;

async function build(options: BuildOptions & typeof settings): Promise<Built> {
  // Only a checkout bundles. The published package contains its bundle.
  const esbuild = await import("esbuild");
  return await esbuild.build(options);
}

function bundleOf({ outputFiles, metafile }: Built, entry: string): Omit<WebBundle, "preload"> {
  const files = new Map(
    outputFiles.map(({ path, contents }) => {
      const name = `/assets/${basename(path)}`;
      return [name, webFile(name, contents)];
    }),
  );
  const output = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined && resolve(entryPoint) === entry,
  );
  if (!output) throw new Error(`esbuild made no output for ${entry}`);
  const styles = output[1].cssBundle === undefined ? [] : [`/assets/${basename(output[1].cssBundle)}`];
  return { files, script: `/assets/${basename(output[0])}`, styles };
}

function webFile(path: string, body: Uint8Array): WebFile {
  return { type: types[extname(path)] ?? "application/octet-stream", body };
}

async function sourcesOf({ metafile }: Built, base: string): Promise<StoredBundle["sources"]> {
  const hashes = Object.keys(metafile.inputs).map(async (input) => {
    const file = resolve(input);
    return [relative(base, file), await hashOf(file)] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

async function readFresh(folder: string, base: string): Promise<WebBundle | undefined> {
  try {
    const { sources } = JSON.parse(await readFile(join(folder, manifestName), "utf8")) as StoredBundle;
    for (const [source, hash] of Object.entries(sources))
      if ((await hashOf(join(base, source))) !== hash) return undefined;
    return await readBundle(folder);
  } catch {
    // Missing, incomplete or of another version: bundle again.
    return undefined;
  }
}

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

/** Replaces a file in one step, because another process may read it. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}
