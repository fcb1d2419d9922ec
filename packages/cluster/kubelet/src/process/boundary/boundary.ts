/** A folder or file of this machine that a confined program sees. The program sees only the mounts listed here. */
export interface Mount {
  /** Where the program finds it. */
  readonly path: string;
  /** Where it is on this machine. Default: at the same path. */
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
 * A boundary of the operating system around a program. Inside it the program has a file system of the given mounts, a
 * private /tmp and /dev, process numbers of its own, and no privileges. Everything that it starts ends with it.
 *
 * Does not isolate the network: the program shares this machine's.
 */
export interface Boundary {
  readonly kind: "bubblewrap" | "namespaces";
  /**
   * Returns the command that starts the program. The environment stays out of the command line, which every user of this
   * machine can read: it is part of `input`.
   *
   * @param fd the file descriptor from which the command reads `input`
   */
  command(program: ConfinedProgram, fd: number): BoundaryCommand;
}

export interface BoundaryCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly input: string;
}
