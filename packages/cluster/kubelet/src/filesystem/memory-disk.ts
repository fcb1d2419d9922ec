import { InMemoryFs } from "just-bash";
import { errno } from "./access.ts";

/** The capacity in bytes. A loop in a shell must not use up the memory of the whole cluster. */
const capacity = 256 * 1024 * 1024;

/** A file system in memory with a limited capacity. */
export class MemoryDisk extends InMemoryFs {
  /** An upper bound of all files' bytes: the last count, plus every write since, even to existing files. */
  #used = 0;

  override async writeFile(...args: Parameters<InMemoryFs["writeFile"]>): Promise<void> {
    await this.#take(args[0], args[1].length);
    return super.writeFile(...args);
  }

  override async appendFile(...args: Parameters<InMemoryFs["appendFile"]>): Promise<void> {
    await this.#take(args[0], args[1].length);
    return super.appendFile(...args);
  }

  async #take(path: string, bytes: number): Promise<void> {
    if (this.#used + bytes > capacity) this.#used = await this.#count();
    if (this.#used + bytes > capacity) throw errno("ENOSPC", path);
    this.#used += bytes;
  }

  async #count(): Promise<number> {
    const sizes = this.getAllPaths().map(async (path) => {
      const stat = await this.lstat(path);
      return stat.isFile ? stat.size : 0;
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }
}
