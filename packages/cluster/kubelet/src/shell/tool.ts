/** What a tool prints, and its exit code. */
export interface ToolResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Where the output of the current command goes. */
export interface OutputKind {
  terminal: boolean;
}

/** A simulated tool of ours, beside those of just-bash. */
export type Tool = (
  args: string[],
  o: { cwd: string; exported: Record<string, string>; stdin: string },
) => Promise<ToolResult> | ToolResult;

export const ok = (stdout: string): ToolResult => ({ stdout, stderr: "", exitCode: 0 });
export const failed = (stderr: string, exitCode = 1): ToolResult => ({ stdout: "", stderr, exitCode });
