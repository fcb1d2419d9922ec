import { type ProgramName, requirementOf } from "./versions.ts";

/** One place where a tool was looked for, and why it was not taken from there. */
export interface Miss {
  readonly where: string;
  readonly why: string;
}

/** No fitting tool anywhere. The message lists every place that was tried, and the way out. */
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
