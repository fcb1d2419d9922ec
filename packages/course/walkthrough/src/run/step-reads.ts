import { learnerSamples, type Samples, substituteSamples } from "../expect/samples.ts";
import { shapes } from "../expect/shapes.ts";
import type { Block, ConsoleBlock, Entry, Page, Step } from "../page/page.ts";
import { screenLines } from "../terminal/normalise.ts";
import { isReadOnly } from "../terminal/read-only.ts";
import { compare } from "./compare.ts";
import type { PageFailure } from "./failure.ts";
import { assignmentsFor } from "./page-variables.ts";
import { type ProgramOptions, runBash } from "./run-program.ts";

/** A command of a page that shows what the cluster has after a step. */
export interface StepRead {
  readonly block: ConsoleBlock;
  readonly entry: Entry;
}

/**
 * Returns the kubectl commands that a step ends with: those that only read, after the last command that may
 * change something. They show the same again as long as nothing else happens. `kubectl rollout status` is one,
 * without its waiting. Logs, events and descriptions are not: they also tell what has happened. Nor is what is read
 * before the step's last change of the code: the operator may do more since. If the last change is a `kubectl apply` of
 * a file, a `kubectl get` of its objects comes first.
 */
export function readsAfter(step: Step, provider: string): StepRead[] {
  const all = entriesOf(step);
  const changed = all.findLastIndex(
    ({ entry: { kind, text, expected } }) =>
      kind === "command" && !leavesObjects(text) && (expected.exitStatus ?? 0) === 0,
  );
  const after = all.slice(changed + 1).map(withoutWaiting);
  const code = step.blocks.findLast(changesCode)?.line ?? 0;
  const reads = after.filter(({ block: { options, line }, entry: { kind, text, expected } }) => {
    const shows = expected.lines.length > 0 || expected.noOutput || expected.exitStatus !== undefined;
    const runsHere = options.providers?.includes(provider) ?? true;
    return kind === "command" && line > code && shows && runsHere && !options.running && showsState(text);
  });
  const applied = all[changed] && getOfApplied(all[changed]);
  return applied ? [applied, ...reads] : reads;
}

/**
 * Reports whether a step ends with a read that proves the step. A read proves nothing if the same command showed the
 * same in the steps above, the last time that it ran, or if they apply the same file: it matched before the step.
 */
export function showsNews(page: Page, step: Step, provider: string): boolean {
  const outputOf = ({ entry: { expected } }: StepRead): string =>
    expected.lines.map(({ text }) => text).join("\n");
  const above = page.steps.slice(0, page.steps.indexOf(step)).flatMap(entriesOf);
  const shown = new Map(
    above
      .flatMap((read) => [withoutWaiting(read), getOfApplied(read)])
      .filter((read) => read !== undefined)
      .map((read) => [read.entry.text, outputOf(read)]),
  );
  return readsAfter(step, provider).some((read) => shown.get(read.entry.text) !== outputOf(read));
}

function entriesOf({ blocks }: Step): StepRead[] {
  return blocks.flatMap((block): StepRead[] =>
    block.kind === "console" ? block.entries.map((entry) => ({ block, entry })) : [],
  );
}

function changesCode(block: Block): boolean {
  const writes = block.kind === "write" || block.kind === "edit" || block.kind === "exercise";
  return writes && /(?<!\.test)\.ts$/.test(block.file);
}

/** A command that the page expects to fail may change something here. */
function showsState(command: string): boolean {
  const isOfPast = /^kubectl (?:logs|events|describe|get events?)\b/.test(command);
  return command.startsWith("kubectl ") && (isReadOnly(command) || isRolloutStatus(command)) && !isOfPast;
}

/** What runs in a container is taken not to change objects. A variable that a read sets changes none. */
function leavesObjects(command: string): boolean {
  const read = /^\w+=\$\((.*)\)$/s.exec(command)?.[1] ?? command;
  return isReadOnly(read) || isRolloutStatus(command) || /^(?:kubectl exec\b|\w+=[^\s$`]*$)/.test(command);
}

function isRolloutStatus(command: string): boolean {
  return /^kubectl rollout status [^|&;<>$`]*$/.test(command);
}

/** `kubectl rollout status` waits, and prints what it waits for. Its last line says how the rollout is now. */
function withoutWaiting({ block, entry }: StepRead): StepRead {
  const { text, expected } = entry;
  if (entry.kind !== "command" || !isRolloutStatus(text)) return { block, entry };
  const now = { ...expected, lines: expected.lines.slice(-1) };
  return { block, entry: { ...entry, text: `${text} --watch=false`, expected: now } };
}

function getOfApplied({ block, entry }: StepRead): StepRead | undefined {
  // A kustomization may have objects by now that are not applied yet.
  const match = /^kubectl apply (-f [^-\s|&;<]\S*(?: -n \S+)?)$/.exec(entry.text);
  if (!match) return undefined;
  const expected = { lines: [], noOutput: false };
  return { block, entry: { ...entry, text: `kubectl get ${match[1]} -o name`, expected } };
}

/**
 * Runs commands that only read, and compares their output with the page. Returns the first difference.
 * Samples bind within the call only. Skips a command with a sample that no output before it has bound, and one
 * with a shell variable that neither the page nor the environment gives a value: it would ask for something else.
 *
 * @param page has the commands
 */
export async function compareReads(
  page: Page,
  reads: readonly StepRead[],
  options: ProgramOptions,
): Promise<PageFailure | undefined> {
  let samples = learnerSamples;
  for (const { block, entry } of reads) {
    const assignments = assignmentsFor(page, entry, options.env ?? {});
    if (!assignments) continue;
    const lines = [...assignments, entry].map(({ text }) => text);
    if (hasUnboundSample(entry.text, samples)) continue;
    // An address that the page gives to a variable is one of its own run.
    if (assignments.some(({ text }) => hasUnboundSample(text, samples, namedValues))) continue;
    const run = (script: readonly string[]) => runBash(script.join("\n"), options);
    const [command = "", ...setting] = lines.map((text) => substituteSamples(text, samples)).reverse();
    const set = setting.reverse();
    const names = assignments.flatMap(({ text }) => /^(?:export )?(\w+)=/.exec(text)?.[1] ?? []);
    const known = names.map((name) => `[ -n "$${name}" ] || exit 1`);
    if (set.length > 0 && (await run([...set, ...known])).status !== 0) continue;
    const { status, output } = await run([...set, command]);
    const result = compare({ block, entry, samples }, screenLines(output), status ?? 1, command);
    if ("failure" in result) return result.failure;
    samples = result.samples;
  }
  return undefined;
}

function hasUnboundSample(command: string, samples: Samples, known = namedObjects): boolean {
  const left = [...samples.values.keys()].reduce((text, sample) => text.replaceAll(sample, ""), command);
  return /\[\.\.[A-Z]/.test(left) || known.some((shape) => shape.test(left));
}

const namedValues = shapes.filter(({ binds }) => binds !== undefined).map(wholeWord);
const namedObjects = shapes.filter(({ binds }) => binds === "object").map(wholeWord);

function wholeWord({ sample }: { readonly sample: string }): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${sample})(?![A-Za-z0-9]|-[A-Za-z0-9])`);
}
