import { type IFileSystem, ReadWriteFs } from "just-bash";
import { type AccessTable, createAccessTable } from "../filesystem/access.ts";
import { MemoryDisk } from "../filesystem/memory-disk.ts";

/** A file of a volume. A string is the file's content, with mode 0644. */
export type VolumeFile = string | { content: string | Uint8Array; mode: number };

/**
 * A volume in memory. The first container that uses it creates its files, and all containers of the Pod share
 * them.
 */
export interface VolumeContent {
  name: string;
  /** Path in the volume → file. */
  files: Record<string, VolumeFile>;
  /** Set if the Pod has an fsGroup. All its containers are in the files' group. */
  groupOwned?: boolean;
  /** Set if the content comes from the API. Containers cannot write to it. */
  readOnly?: boolean;
  /** Set for a PersistentVolume, which outlives the Pod. */
  persistent?: boolean;
  /** Folder of the host. Set when a container that is a process first uses the volume. */
  folder?: string;
  /** Set when a container first reads or writes the files. */
  made?: { fs: IFileSystem; access: AccessTable };
}

export interface Mount {
  volume: VolumeContent;
  /** Absolute path in the container. */
  path: string;
  readOnly: boolean;
  /** Path in the volume. Default: the whole volume is mounted. */
  subPath?: string;
}

/** Returns the content and the mode of a file. */
export function volumeFile(file: VolumeFile) {
  return typeof file === "string" ? { content: file, mode: 0o644 } : file;
}

/**
 * Returns the files of a volume and their owners. The first call creates them, with this modification time.
 */
export function volumeFiles(volume: VolumeContent, mtime: Date) {
  if (!volume.made) {
    const entries = Object.entries(volume.files).map(([name, content]) => [
      `/${name}`,
      { ...volumeFile(content), mtime },
    ]);
    const fs: IFileSystem = volume.folder
      ? new ReadWriteFs({ root: volume.folder, allowSymlinks: true })
      : new MemoryDisk(Object.fromEntries(entries));
    const access = createAccessTable({ groupOwned: volume.groupOwned ?? false });
    // Every user may write to an emptyDir (mode 0777).
    access.open("/");
    volume.made = { fs, access };
  }
  return volume.made;
}
