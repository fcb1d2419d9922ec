import { existsSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import {
  checkText,
  type Mutant,
  noticeText,
  parsePage,
  runPage,
  runProgram,
  type Shared,
  type Sources,
} from "@operator-path/walkthrough";
import { repositoryRoot } from "../repository.ts";
import { type Overlay, packageOf } from "./overlay.ts";

/**
 * Timeouts in milliseconds. Mutants often wait for output that never comes, so they get shorter timeouts. The
 * unchanged page must pass with the same timeouts, beside its mutants.
 */
const limits = { repeat: 12_000, output: 12_000, command: 60_000, interrupt: 12_000, removal: 12_000 };

/** The longest that the tests of a project or a tutorial may take, in milliseconds. */
const testTimeout = 900_000;

export interface NoticeOptions {
  /** Absolute path of the page in the repository. */
  readonly page: string;
  readonly overlay: Overlay;
  readonly pnpm: readonly string[];
  readonly signal: AbortSignal;
  readonly shared: Shared;
  /** The sources of the text check. */
  readonly sources: Sources;
}

/** Runs the checks, the cheapest first. Returns the one that detects the mutant. Undefined: none does. */
export async function notice(mutant: Mutant, o: NoticeOptions): Promise<string | undefined> {
  const source = readFileSync(o.page, "utf8");
  const changed = mutant.changes.get(basename(o.page));
  if (mutant.class === "text") {
    const said = noticeText(o.sources.page(o.page), changed ?? source);
    if (said !== undefined) return `text: ${said}`;
    const mutated = parsePage(changed ?? source, o.page);
    const [problem] = checkText(mutated, { root: repositoryRoot, sources: o.sources });
    return (
      problem && `${problem.unaccepted ? "accepted text" : "text"}: line ${problem.line}: ${problem.message}`
    );
  }
  o.overlay.write(mutant.changes);
  if (mutant.class !== "step") {
    const failed = await failedTests(mutant, o);
    if (failed !== undefined) return failed;
  }
  return noticedByPages(mutant, o);
}

/**
 * Runs the tests of the changed project, or without a change of the page's project, and those of the
 * tutorial.
 */
async function failedTests({ changes }: Mutant, o: NoticeOptions): Promise<string | undefined> {
  const { overlay } = o;
  const { project = "" } = parsePage(readFileSync(o.page, "utf8"), o.page).frontMatter;
  const changed = [...changes.keys()].filter((path) => !path.endsWith(".md"));
  const files = changes.size === 0 ? [`${project}/package.json`] : changed;
  const folders = new Set([...files.map((path) => packageOf(overlay.tutorial, path)), overlay.tutorial]);
  // The tests of the tutorial read YAML and Makefiles, so they run first for those. The tests of the project
  // generate files from markers, so they run first for code.
  const isRead = files.every((file) => /\.ya?ml$|Makefile$/.test(file));
  const runs = [...folders].map((folder) => ({ folder, only: [] as string[] }));
  if (isRead) runs.reverse();
  // This test takes less than a second, and detects most changes of scaffolded files.
  const cheapest = "tests/scaffold.test.ts";
  if (isRead && existsSync(join(overlay.tutorial, cheapest)))
    runs.unshift({ folder: overlay.tutorial, only: [cheapest] });
  for (const { folder, only } of runs) {
    const name = folder === overlay.tutorial ? "tests of the tutorial" : "tests of the project";
    const { status, output } = await runTests(folder, only, o);
    if (status !== 0) return `${name}: ${firstFailure(output)}`;
  }
  return undefined;
}

async function runTests(
  folder: string,
  only: readonly string[],
  o: NoticeOptions,
): Promise<{ status: number | undefined; output: string }> {
  const [program = "pnpm", ...args] = o.pnpm;
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    CI: "true",
    NO_COLOR: "1",
    // pnpm cannot check the links of the overlay as an installation.
    pnpm_config_verify_deps_before_run: "false",
  };

  // One failure is enough. The JSON reporter would overwrite the repository's own results, which
  // `count-tests` adds up: the overlay's node_modules is a link. Only the tests of a tutorial are known to
  // run in vitest.
  const flags = folder === o.overlay.tutorial ? ["--bail=1", "--reporter=default"] : [];
  return runProgram(program, [...args, "run", "test", ...only, ...flags], {
    cwd: folder,
    env,
    signal: o.signal,
    timeout: testTimeout,
  });
}

/** Returns the most useful line of a test run: the first failed test, or the first error. */
function firstFailure(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const found =
    lines.find((line) => /^(?:FAIL|×|✖|not ok)\s/.test(line)) ??
    lines.find((line) => /error|Error/.test(line));
  return (found ?? lines.filter((line) => line !== "").at(-1) ?? "")
    .replace(/^(?:FAIL|×|✖|not ok)\s+/, "")
    .slice(0, 120);
}

/** Runs the page, and for a change of a project also the other pages that show it, until one fails. */
async function noticedByPages(mutant: Mutant, o: NoticeOptions): Promise<string | undefined> {
  const others = [...mutant.changes.keys()].filter(
    (path) => path.endsWith(".md") && path !== basename(o.page),
  );
  for (const name of [basename(o.page), ...others]) {
    const path = join(o.overlay.tutorial, name);
    const page = parsePage(readFileSync(path, "utf8"), path);
    const { root } = o.overlay;
    const report = await runPage(page, {
      root,
      limits,
      cleanUpAfterDifference: false,
      signal: o.signal,
      shared: o.shared,
    });
    if (report.passed) continue;
    const { difference } = report;
    const where = difference ? `line ${difference.line}, step ${difference.step}` : "what it leaves behind";
    return `the page: ${name}, ${where}`;
  }
  return undefined;
}
