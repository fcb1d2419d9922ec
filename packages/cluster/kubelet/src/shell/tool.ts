/** The output and the exit code of a tool. */
export interface ToolResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Whether the output of the current command goes to a terminal. */
export interface OutputKind {
  terminal: boolean;
}

/** A simulated tool that just-bash does not provide. */
export type Tool = (
  args: string[],
  options: { cwd: string; exported: Record<string, string>; stdin: string },
) => Promise<ToolResult> | ToolResult;

export const ok = (stdout: string): ToolResult => ({ stdout, stderr: "", exitCode: 0 });
export const failed = (stderr: string, exitCode = 1): ToolResult => ({ stdout: "", stderr, exitCode });

/** Tools that read standard input, with the highest number of operands for which they do. -1: any number. */
const FILTERS: Record<string, number> = {
  cat: 0,
  tee: -1,
  wc: 0,
  sort: 0,
  uniq: 0,
  head: 0,
  tail: 0,
  grep: 1,
  egrep: 1,
  fgrep: 1,
  sed: 1,
  awk: 1,
  cut: 0,
  tr: -1,
  base64: 0,
  md5sum: 0,
  sha1sum: 0,
  sha256sum: 0,
  od: 0,
  rev: 0,
  tac: 0,
  nl: 0,
  fold: 0,
  gzip: 0,
  gunzip: 0,
  zcat: 0,
  xargs: -1,
  strings: 0,
};

/** Whether a tool with these arguments reads its standard input. */
export function filtersStdin(name: string, args: readonly string[]): boolean {
  if (args.includes("-")) return true;
  const limit = FILTERS[name];
  if (limit === undefined) return false;
  return limit === -1 || args.filter((word) => !word.startsWith("-")).length <= limit;
}
