import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findTool } from "@operator-path/tools";
import { Header } from "tar";
import { openFolder } from "./scaffolds.ts";

export const hybridLine =
  "init --plugins hybrid.helm.sdk.operatorframework.io --project-version 3 --domain my.domain --repo github.com/example/memcached-operator";
export const helmPlugin = "create api --plugins helm.sdk.operatorframework.io/v1";
export const helmLine = `${helmPlugin} --group cache --version v1alpha1 --kind Memcached`;
export const backupLine =
  "create api --group=cache --version v1 --kind MemcachedBackup --resource --controller --plugins=go/v3";

/** Creates a hybrid project. Its commands find a real helm, with its own home folder. */
export async function openHybrid() {
  const folder = openFolder();
  const { path } = await findTool("helm");
  const env = { HELM: path, HOME: join(folder.cwd, "../home"), PATH: process.env.PATH };
  await folder.run(hybridLine);
  return {
    ...folder,
    env,
    run: (line: string | readonly string[]) => folder.run(line, { env }),
    rejected: (line: string | readonly string[]) => folder.rejected(line, { env }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Writes files below a folder, and returns the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A chart with one ConfigMap. */
export const smallChart: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: small-thing\nversion: 0.1.0\n",
  "values.yaml": "zeal: 1\nanswer: 42\n",
  "templates/config.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  answer: {{ .Values.answer | quote }}\n",
};

/** An entry of a tar file: a file, or a link if it has a target. */
export interface TarEntry {
  readonly path: string;
  readonly data?: string;
  readonly linkpath?: string;
}

/** Returns the bytes of an uncompressed tar file. Allows names that the package `tar` would not write. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, data = "", linkpath }) => {
    const body = Buffer.from(data);
    const type = linkpath === undefined ? "File" : "SymbolicLink";
    const common = { path, type, mode: 0o644, size: body.length, mtime: new Date(0) } as const;
    const header = new Header({ ...common, ...(linkpath !== undefined && { linkpath }) });
    header.encode();
    return [header.block ?? Buffer.alloc(0), body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
