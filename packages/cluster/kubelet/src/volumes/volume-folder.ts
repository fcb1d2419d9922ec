import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type VolumeContent, type VolumeFile, volumeFile } from "./volume.ts";

/**
 * Returns the folder of a volume on the host, for containers that are processes. All containers of the Pod
 * share it. The first call creates it.
 *
 * Files of ConfigMaps, Secrets and projected sources are laid out as by the kubelet's AtomicWriter
 * (pkg/volume/util): `key` → `..data/key`, and `..data` → `..2026_11_21_14_00_00.1`, a folder that is
 * replaced as a whole.
 */
export function volumeFolder(parent: string, volume: VolumeContent): string {
  if (volume.folder !== undefined) return volume.folder;
  counter++;
  const folder = join(parent, `${counter}-${volume.name}`);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  try {
    mkdirSync(folder);
    // Sets the mode of Kubernetes despite this process's umask. Other users of this machine cannot enter the
    // parent folder.
    chmodSync(folder, 0o777);
    if (volume.readOnly) writeVolume(folder, volume.files);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  volume.folder = folder;
  // Simulated containers use the same files from now on.
  delete volume.made;
  return folder;
}

let counter = 0;

/**
 * Replaces the files of a volume's folder, all at once for readers of `..data`. Removes files that are no
 * longer in the volume.
 */
export function writeVolume(folder: string, files: Readonly<Record<string, VolumeFile>>): void {
  counter++;
  const name = `..${new Date().toISOString().slice(0, 19).replace(/[-:T]/g, "_")}.${counter}`;
  try {
    mkdirSync(join(folder, name));
    for (const [path, file] of Object.entries(files)) {
      const { content, mode } = volumeFile(file);
      const at = join(folder, name, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, content, { mode: 0o600 });
      // Sets the mode despite this process's umask.
      chmodSync(at, mode);
    }
    const draft = join(folder, "..data_tmp");
    rmSync(draft, { force: true });
    symlinkSync(name, draft);
    renameSync(draft, join(folder, "..data"));
  } catch (error) {
    // The previous files stay unchanged.
    rmSync(join(folder, name), { recursive: true, force: true });
    throw error;
  }
  const wanted = new Set(Object.keys(files).map((path) => path.split("/")[0] as string));
  for (const entry of readdirSync(folder)) {
    if (entry === "..data" || entry === name) continue;
    if (!wanted.delete(entry)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
  for (const top of wanted) symlinkSync(join("..data", top), join(folder, top));
}
