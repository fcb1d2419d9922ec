import fs from "node:fs";

/** Files of the host, by its paths. */
export interface HostFiles {
  exists(path: string): boolean;
  /** undefined: it cannot be read. */
  read(path: string): string | undefined;
  /** Mode 0600. */
  write(path: string, text: string): void;
}

/** The functions of node:fs as they are at this moment: in the preload, before they take paths of the container. */
export function hostFiles(): HostFiles {
  const { closeSync, existsSync, openSync, readFileSync, writeSync } = fs;
  return {
    exists: existsSync,
    read(path) {
      try {
        return readFileSync(path, "utf8");
      } catch {
        return undefined;
      }
    },
    write(path, text) {
      // writeFileSync would open it by whatever node:fs has for that by then.
      const fd = openSync(path, "w", 0o600);
      try {
        writeSync(fd, text);
      } finally {
        closeSync(fd);
      }
    },
  };
}
