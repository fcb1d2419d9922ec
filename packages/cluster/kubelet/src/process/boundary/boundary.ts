/**
 * A folder or file of this machine that a confined program sees. The program sees only the mounts listed
 * here.
 */
export interface Mount {
  /** Path at which the program sees it. */
  readonly path: string;
  /** Path on this machine. Default: the same path. */
  readonly from?: string;
  readonly writable?: boolean;
}

/** A program to run inside a boundary. */
export interface ConfinedProgram {
  /** Absolute path of the executable. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
}

/**
 * A boundary of the operating system around a program. Inside it the program has a file system of the given
 * mounts, a private /tmp and /dev, its own process numbers, and no privileges. Everything that it starts ends
 * with it.
 *
 * Does not isolate the network: the program shares this machine's.
 */
export interface Boundary {
  readonly kind: "bubblewrap" | "namespaces";
  /**
   * Returns the command that starts the program. The environment is part of `input`, because every user of
   * this machine can read a command line.
   *
   * @param fd the file descriptor from which the command reads `input`
   */
  command(program: ConfinedProgram, fd: number): BoundaryCommand;
}

interface BoundaryCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly input: string;
}
