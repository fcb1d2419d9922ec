import { existsSync, realpathSync } from "node:fs";
import { dirname, posix, resolve, sep } from "node:path";
import type { ContainerFolder } from "../container-folder.ts";

/** Thrown when a tool is not started. The message is printed as the tool's error. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Maps a container's paths for a tool, which runs outside of the container. */
export interface ToolPaths {
  /**
   * @param path absolute, in the container
   * @throws Refusal when a link in it leads out of the container
   */
  toHost(path: string): string;
  /** @param path on the host, for example a process's working folder */
  toContainer(path: string): string;
}

/** Paths that are the same on both sides. The rest of /dev and /proc is not: /proc/self/root is the host. */
const same = /^\/dev\/(?:null|stdin|stdout|stderr)$/;

export function toolPaths({
  root,
  mounts,
  reads,
}: Pick<ContainerFolder, "root" | "mounts" | "reads">): ToolPaths {
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`);
  const allowed = [root, ...reads, ...mounts.map(([, host]) => host)];
  function contained(path: string): string {
    let existing = path;
    while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
    const real = realpathSync(existing);
    if (allowed.some((folder) => existsSync(folder) && isIn(real, realpathSync(folder)))) return path;
    throw new Refusal(`${toContainer(path)} is a link that leads out of the container`);
  }
  function toContainer(path: string): string {
    const mount = mounts.find(([, host]) => isIn(path, host));
    if (mount) return mount[0] + path.slice(mount[1].length);
    return isIn(path, root) ? path.slice(root.length) || "/" : path;
  }
  return {
    toContainer,
    toHost(path) {
      const whole = posix.resolve("/", toContainer(resolve(path)));
      if (same.test(whole)) return whole;
      const mount = mounts.find(([at]) => isIn(whole, at));
      return contained(mount ? mount[1] + whole.slice(mount[0].length) : root + (whole === "/" ? "" : whole));
    },
  };
}
