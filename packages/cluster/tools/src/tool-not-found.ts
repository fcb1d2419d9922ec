import { type ProgramName, requirementOf } from "./versions.ts";

/** A place where a tool was looked for, and why it was not used. */
export interface Miss {
  readonly where: string;
  readonly why: string;
}

/** Thrown when no suitable tool was found. The message lists every place and says how to install the tool. */
export class ToolNotFoundError extends Error {
  override readonly name = "ToolNotFoundError";
  readonly tool: ProgramName;
  readonly misses: readonly Miss[];

  constructor(tool: ProgramName, misses: readonly Miss[]) {
    const { words, manual } = requirementOf(tool);
    super(
      [
        `${tool} ${words} was not found:`,
        ...misses.map(({ where, why }) => `  ${where}: ${why}`),
        `Install it (${manual}) and put it on PATH.`,
      ].join("\n"),
    );
    this.tool = tool;
    this.misses = misses;
  }
}
