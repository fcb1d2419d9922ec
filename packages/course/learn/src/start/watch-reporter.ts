import { extname } from "node:path";
import {
  type Block,
  hasColors,
  type Reporter,
  type ReportStream,
  terminalReporter,
} from "@operator-path/walkthrough";
import { createColors } from "picocolors";
import { highlight } from "../read/highlight.ts";
import { cut } from "./cut.ts";

/** The most lines of one output that are shown. */
const mostLines = 40;

/**
 * Returns a reporter that shows a page as it is built: each command with its output, and each file or edit with
 * its code. Lines are cut to the width of the terminal. Says nothing about steps that a stopped run left out.
 */
export function watchReporter(stream: ReportStream, env: NodeJS.ProcessEnv = process.env): Reporter {
  const colors = createColors(hasColors(stream, env));
  const base = terminalReporter(stream, { env });
  const print = (lines: readonly string[], indent: string): void => {
    base.asking?.();
    const columns = (stream.columns || 80) - indent.length - 1;
    const cutLines = lines.map((line) => `${indent}${stream.isTTY ? cut(line, columns) : line}`.trimEnd());
    stream.write(
      cutLines
        .map(
          (line) => `${line}
`,
        )
        .join(""),
    );
  };
  return {
    ...base,
    doing(what, line, block) {
      print(["", ...linesOf(what, line, block)], "  ");
      base.doing?.(what, line, block);
    },
    showed(output) {
      const left = output.length - mostLines;
      const shown = left > 1 ? output.slice(0, mostLines) : output;
      print(left > 1 ? [...shown, colors.dim(`… ${left} more lines`)] : shown, "  ");
    },
    pageFinished(report) {
      if (report.difference || report.leaks.length > 0 || report.skipped !== undefined)
        base.pageFinished?.(report);
      else base.asking?.();
    },
  };

  function linesOf(what: string, line: number, block: Block | undefined): string[] {
    if (block?.kind === "write" || block?.kind === "edit") {
      const language = block.kind === "edit" ? "diff" : extname(block.file).slice(1);
      const title = block.kind === "edit" ? `edit ${block.file}` : block.file;
      const code = highlight(block.content.trimEnd(), languageOf(block.file, language), colors);
      return [colors.bold(colors.underline(title)), ...code.split("\n").map((text) => `  ${text}`)];
    }
    const entry = block?.kind === "console" ? block.entries.find((one) => one.line === line) : undefined;
    if (entry === undefined) return [colors.dim(what)];
    const [first = "", ...rest] = what.split("\n");
    const terminal = block?.kind === "console" && block.options.terminal;
    const where = terminal ? colors.dim(`[${terminal}] `) : "";
    if (entry.kind !== "command") return [`${where}${colors.bold(first)}`];
    return [`${where}${colors.green("$")} ${colors.bold(first)}`, ...rest];
  }
}

function languageOf(file: string, extension: string): string {
  if (extension !== "") return extension;
  if (/Dockerfile$/.test(file)) return "docker";
  return /Makefile$/.test(file) ? "make" : "";
}
