export { changeWord, dropEachStep, dropStep, type Mutation, replaceInPage } from "./mutate/mutate-page.ts";
export type { FrontMatter } from "./page/front-matter.ts";
export type { Block, ConsoleBlock, Entry, Page, Step } from "./page/page.ts";
export { PageError } from "./page/page-error.ts";
export { parsePage } from "./page/parse.ts";
export { type PreparedProject, type PrepareOptions, prepareProject } from "./project/prepare.ts";
export { formatJson, formatJunit } from "./report/formats.ts";
export type { Difference, DiffLine, Report, Reporter, StepReport } from "./report/report.ts";
export {
  formatReport,
  type ReportStream,
  type TerminalReporterOptions,
  terminalReporter,
} from "./report/terminal.ts";
export { type ClosureDifference, checkClosure } from "./run/closure.ts";
export { findPnpm } from "./run/find-pnpm.ts";
export { type RunOptions, runPage } from "./run/run-page.ts";
export { verifyPages } from "./run/verify.ts";
