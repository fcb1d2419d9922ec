import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PreloadSettings } from "./protocol.ts";

/** Maps paths between the container and the host. */
export interface Paths {
  /**
   * Maps an argument of a function of fs: a string, a Buffer or a file: URL. Returns anything else, such as a
   * descriptor, unchanged.
   */
  toHost<T>(path: T): T;
  /** Maps a path that a function of fs returns, or that an error names. */
  toContainer<T>(path: T): T;
}

/** Paths that are the same on both sides. */
const devices = ["/dev", "/proc"];

type Settings = Pick<PreloadSettings, "root" | "mounts" | "visible">;

export function createPaths({ root, mounts, visible }: Settings): Paths {
  const own = [...visible, ...devices];
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const map = (path: string) => {
    // Dots are resolved first, so that no path leads out of the root.
    const whole = resolve(path);
    const inRoot = isIn(whole, root);
    if (!inRoot && own.some((folder) => isIn(whole, folder))) return path;
    const inside = inRoot ? whole.slice(root.length) || "/" : whole;
    // Uses a volume's own path and not that of its link, because write permission belongs to the volume's
    // path.
    const mount = mounts.find(([at]) => isIn(inside, at));
    if (mount === undefined && (inRoot || !path.startsWith("/"))) return path;
    const host = mount ? mount[1] + inside.slice(mount[0].length) : root + inside;
    return path.endsWith("/") && !host.endsWith("/") ? `${host}/` : host;
  };
  const toContainerPath = (path: string) => {
    const mount = mounts.find(([, host]) => isIn(path, host));
    if (mount) return mount[0] + path.slice(mount[1].length);
    return isIn(path, root) ? path.slice(root.length) || "/" : path;
  };
  return {
    toHost<T>(path: T): T {
      if (typeof path === "string") return map(path) as T;
      if (Buffer.isBuffer(path)) {
        const text = path.toString("latin1");
        const mapped = map(text);
        return mapped === text ? path : (Buffer.from(mapped, "latin1") as T);
      }
      if (path instanceof URL && path.protocol === "file:") {
        const text = fileURLToPath(path);
        const mapped = map(text);
        return mapped === text ? path : (pathToFileURL(mapped) as T);
      }
      return path;
    },
    toContainer<T>(path: T): T {
      return typeof path === "string" ? (toContainerPath(path) as T) : path;
    },
  };
}
