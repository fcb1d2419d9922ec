import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Header, type HeaderData } from "tar";

/** A folder that `await using` removes. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "chart-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The smallest valid chart. */
export const smallChart: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: small\nversion: 0.1.0\nappVersion: 1.27.1\n",
  "values.yaml": "replicas: 1\nimage: {repository: nginx}\n",
  "templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n",
};

/** Writes files below a folder, which it creates. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  for (const [name, data] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), data);
  }
  return folder;
}

/** A tar entry with any name and type. `size` may differ from the size of its data. */
export type TarEntry = Partial<Pick<HeaderData, "type" | "linkpath" | "size">> & {
  readonly path: string;
  readonly data?: string | Buffer;
};

/** The uncompressed bytes of a tar file. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, data = "", type = "File", linkpath, size }) => {
    const body = Buffer.from(data);
    const header = new Header({
      path,
      type,
      mode: 0o644,
      mtime: new Date(0),
      size: size ?? body.length,
      ...(linkpath && { linkpath }),
    });
    header.encode();
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [header.block ?? Buffer.alloc(0), body, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A .tgz of files in the folder `small`, and of further entries. */
export function tgz(
  files: Readonly<Record<string, string | Buffer>>,
  more: readonly TarEntry[] = [],
): Buffer {
  const inside = Object.entries(files).map(([name, data]) => ({ path: `small/${name}`, data }));
  return gzipSync(tar([...inside, ...more]));
}
