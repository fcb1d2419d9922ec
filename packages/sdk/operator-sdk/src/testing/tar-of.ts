import { Header } from "tar";

/** An entry by hand: a file, or a link where it has a target. */
export interface TarEntry {
  readonly path: string;
  readonly data?: string;
  readonly linkpath?: string;
}

/** The bytes of a tar file, uncompressed, with names that `tar` itself would not write. */
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
