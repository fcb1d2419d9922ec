export { type ExerciseWithAlternatives, findAlternatives, runAlternatives } from "./exercise/alternatives.ts";
export { type OpenExercise, openExercise } from "./exercise/open.ts";
export type { ExerciseGuide, ExerciseTask } from "./exercise/run-exercise.ts";
export type { FileResults, TestOptions, VitestRunner } from "./exercise/test-run.ts";
export { runTestFile, type TestResult } from "./exercise/tests.ts";
export { createVitestRunner } from "./exercise/vitest-runner.ts";
export { matchOutput } from "./expect/match.ts";
export { withoutOwnNames } from "./expect/own-names.ts";
export { learnerSamples, type Samples, substituteSamples } from "./expect/samples.ts";
export { applyEdit, EditError, hasEdit } from "./files/edit.ts";
export { lineComparison } from "./files/line-comparison.ts";
export { listFolder, pathBelow } from "./files/tree.ts";
export { type Mutant, type MutantClass, mutantClasses } from "./mutate/mutant.ts";
export { mutantsOf } from "./mutate/mutants-of.ts";
export { changeWord, dropEachStep, dropStep, type Mutation, replaceInPage } from "./mutate/mutate-page.ts";
export { noticeText } from "./mutate/notice-text.ts";
export type { FrontMatter } from "./page/front-matter.ts";
export type { Block, ConsoleBlock, Entry, ExerciseBlock, ExerciseTest, Page, Step } from "./page/page.ts";
export { PageError } from "./page/page-error.ts";
export { parsePage } from "./page/parse.ts";
export { questionMark, terminalMark } from "./page/question.ts";
export {
  type FileVersion,
  type HistoryOptions,
  type Origin,
  type ProjectHistory,
  type ProjectState,
  pagesUpTo,
  recordHistory,
} from "./project/history.ts";
export { formatHistory, parseHistory } from "./project/history-text.ts";
export { pageAfter, pageBefore, startProjectOf, writeStart } from "./project/page-chain.ts";
export { installedStore, installFromStore, noPnpm } from "./project/pnpm-store.ts";
export { type PreparedProject, type PrepareOptions, prepareProject } from "./project/prepare.ts";
export { type StageOptions, withStage } from "./project/stage.ts";
export { hasColors } from "./report/colors.ts";
export { formatJson, formatJunit } from "./report/formats.ts";
export { createOverview, followPage, formatOverview, type Overview, pageName } from "./report/overview.ts";
export type { AcceptedChange, Difference, DiffLine, Report, Reporter, StepReport } from "./report/report.ts";
export {
  formatReport,
  type ReportStream,
  type TerminalReporterOptions,
  terminalReporter,
} from "./report/terminal.ts";
export { type FollowedFile, followProject, UnclearChange } from "./rewrite/follow-project.ts";
export { type FileState, type PagesHistory, type ProjectEnd, readHistory } from "./rewrite/history.ts";
export {
  type Replacement,
  type Rewrite,
  replaceBlocks,
  rewritePages,
  writes,
} from "./rewrite/rewrite-pages.ts";
export { type ClosureDifference, checkClosure } from "./run/closure.ts";
export { compare, type EntryContext, type EntryResult } from "./run/compare.ts";
export { runEntry } from "./run/console-block.ts";
export { diagnoseCluster } from "./run/difference.ts";
export { PageFailure, type Seen } from "./run/failure.ts";
export type { PageTerminal } from "./run/page-terminal.ts";
export { missingByHand, missingPrograms } from "./run/preconditions.ts";
export { findPnpm, operatorSdkScript, shellCommand, sourceCommand } from "./run/programs.ts";
export { defaultLimits, type RunOptions } from "./run/run-options.ts";
export { runPage } from "./run/run-page.ts";
export { type ProgramResult, runBash, runProgram } from "./run/run-program.ts";
export { createShared, type Shared } from "./run/shared.ts";
export { sideBySide } from "./run/side-by-side.ts";
export { clusterOf } from "./run/start-cluster.ts";
export { compareReads, readsAfter, type StepRead, showsNews } from "./run/step-reads.ts";
export { type VerifyOptions, verifyPages } from "./run/verify.ts";
export { screenLines } from "./terminal/normalise.ts";
export type { Terminal } from "./terminal/terminal.ts";
export { acceptTexts } from "./text/accepted.ts";
export { type CheckTextOptions, checkText, type TextProblem } from "./text/check-text.ts";
export { checkPageRules, type RuleProblem } from "./text/page-rules.ts";
export { createSources, type Sources } from "./text/vocabulary.ts";
