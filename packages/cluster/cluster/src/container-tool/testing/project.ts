import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ImageStore, type LocalImage, openImageStore } from "@operator-path/kubelet/local-images";
import { build } from "../build.ts";
import { readIgnoreFile } from "../dockerfile.ts";
import type { BuildOptions } from "../stage.ts";

/** A folder with a project, and a store for its images. */
export interface TestProject {
  readonly folder: string;
  readonly store: ImageStore;
  /** Builds a Dockerfile's text. @returns the image, and the reported lines */
  build(
    dockerfile: string,
    options?: { buildArgs?: Record<string, string>; target?: string; findTool?: BuildOptions["findTool"] },
  ): Promise<LocalImage & { said: string[] }>;
  remove(): void;
}

/** @param files path → content; `.dockerignore` applies */
export function testProject(files: Record<string, string>): TestProject {
  const top = mkdtempSync(join(tmpdir(), "container-tool-"));
  const folder = join(top, "project");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const ignores = readIgnoreFile(files[".dockerignore"] ?? "", ".dockerignore");
  const store = openImageStore(join(top, "images"));
  return {
    folder,
    store,
    async build(text, options = {}) {
      const said: string[] = [];
      const image = await build({
        store,
        dockerfile: { text, name: "Dockerfile" },
        context: { folder, ignores },
        buildArgs: new Map(Object.entries(options.buildArgs ?? {})),
        ...(options.target === undefined ? {} : { target: options.target }),
        findTool: options.findTool ?? (async () => ({ version: "4.2.3" })),
        say: (line) => said.push(line),
      });
      return { ...image, said };
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** Returns the paths of an image's files, without folders. */
export function filesOf({ manifest }: LocalImage): string[] {
  return manifest.files.filter(({ type }) => type === "file").map(({ path }) => path);
}
