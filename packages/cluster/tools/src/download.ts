import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadEntry } from "tar";
import { type InstalledTool, installTool } from "./install.ts";
import { type ProgramName, requirementOf } from "./versions.ts";

/** An official release. */
export interface Release {
  readonly name: ProgramName;
  readonly version: string;
  readonly url: string;
  /**
   * URL of the checksum file. Its first word is the SHA-256 in hexadecimal, on the line that names the file
   * if there are several lines.
   */
  readonly checksumUrl: string;
  /**
   * Its directory in the cache. The name includes platform and architecture, because machines may share a
   * home directory.
   */
  readonly directory: string;
}

/** The part of the global fetch that is used. */
export type Fetch = (url: string) => Promise<Response>;

/** Returns the official release of `name` for this platform, or the reason why it is missing. */
export function officialRelease(
  name: ProgramName,
  platform: string,
  arch: string,
): Release | { readonly problem: string } {
  const goArch = { x64: "amd64", arm64: "arm64" }[arch];
  if ((platform !== "linux" && platform !== "darwin") || goArch === undefined) {
    return { problem: `no release for ${platform} ${arch} is known` };
  }
  const version = requirementOf(name).release;
  const directory = `${name}-v${version}-${platform}-${goArch}`;
  const isServer = name === "kube-apiserver" || name === "kube-controller-manager";
  if (platform !== "linux" && (isServer || name === "etcd")) {
    return { problem: `no release for ${platform} is published. Install Go to build it` };
  }
  if (name === "etcd") {
    const base = `https://github.com/etcd-io/etcd/releases/download/v${version}`;
    const url = `${base}/etcd-v${version}-${platform}-${goArch}.tar.gz`;
    return { name, version, url, checksumUrl: `${base}/SHA256SUMS`, directory };
  }
  if (name === "kind") {
    const url = `https://github.com/kubernetes-sigs/kind/releases/download/v${version}/kind-${platform}-${goArch}`;
    return { name, version, url, checksumUrl: `${url}.sha256sum`, directory };
  }
  if (name !== "helm") {
    const url = `https://dl.k8s.io/release/v${version}/bin/${platform}/${goArch}/${name}`;
    return { name, version, url, checksumUrl: `${url}.sha256`, directory };
  }
  const url = `https://get.helm.sh/helm-v${version}-${platform}-${goArch}.tar.gz`;
  return { name, version, url, checksumUrl: `${url}.sha256sum`, directory };
}

/**
 * Downloads a release into the cache, if its SHA-256 equals the published one.
 *
 * @throws Error that names the URL, and the expected and the actual value
 */
export async function downloadTool(release: Release, tools: string, fetch: Fetch): Promise<InstalledTool> {
  const lines = (await get(release.checksumUrl, fetch)).toString("utf8").trim().split("\n");
  const file = release.url.split("/").at(-1) ?? "";
  const line = lines.find((line) => line.trim().endsWith(file)) ?? (lines.length === 1 ? lines[0] : "");
  const published = line?.trim().split(/\s+/)[0] ?? "";
  if (!/^[0-9a-f]{64}$/.test(published))
    throw new Error(`${release.checksumUrl} contains no SHA-256 checksum`);
  const bytes = await get(release.url, fetch);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== published) {
    throw new Error(
      `${release.url} has the SHA-256 ${found}, but ${release.checksumUrl} publishes ${published}`,
    );
  }
  const executable = release.url.endsWith(".tar.gz") ? await untar(bytes, release) : bytes;
  return installTool(release.name, tools, release.directory, (path) =>
    writeFile(path, executable, { mode: 0o755 }),
  );
}

async function get(url: string, fetch: Fetch): Promise<Buffer> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new Error(`${url} cannot be reached: ${reason(error)}`, { cause: error });
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${response.statusText}`.trimEnd());
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the reason of a failed fetch. Node's error says only "fetch failed", and its cause says why. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function untar(archive: Buffer, release: Release): Promise<Buffer> {
  // Loaded here, because most calls download nothing and a command waits for every module.
  const { Parser } = await import("tar");
  const parts: Buffer[] = [];
  const parser = new Parser({
    strict: true,
    filter: (path) => path.split("/").at(-1) === release.name,
    onReadEntry: (entry: ReadEntry) => entry.on("data", (chunk: Buffer) => parts.push(chunk)),
  });
  await pipeline(Readable.from([archive]), parser as unknown as NodeJS.WritableStream);
  if (parts.length === 0) throw new Error(`${release.url} contains no file ${release.name}`);
  return Buffer.concat(parts);
}
