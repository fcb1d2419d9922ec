import { noSamples, type Samples, substituteSamples } from "../expect/samples.ts";
import { shapes } from "../expect/shapes.ts";
import type { ConsoleBlock, Entry, Step } from "../page/page.ts";
import { screenLines } from "../terminal/normalise.ts";
import { isReadOnly } from "../terminal/read-only.ts";
import { compare } from "./compare.ts";
import type { PageFailure } from "./failure.ts";
import { type ProgramOptions, runProgram } from "./run-program.ts";

/** A command of a page that shows what the cluster has after a step. */
export interface StepRead {
  readonly block: ConsoleBlock;
  readonly entry: Entry;
}

/**
 * Returns the kubectl commands that a step ends with: those that only read, after the last command that may
 * change something. They show the same again as long as nothing else happens. If the last change is a
 * `kubectl apply` of a file, a `kubectl get` of its objects comes first.
 */
export function readsAfter(step: Step, provider: string): StepRead[] {
  const all = step.blocks.flatMap((block): StepRead[] =>
    block.kind === "console" ? block.entries.map((entry) => ({ block, entry })) : [],
  );
  const changed = all.findLastIndex(
    ({ entry: { kind, text, expected } }) =>
      kind === "typed" || (kind === "command" && !isReadOnly(text) && (expected.exitStatus ?? 0) === 0),
  );
  const reads = all.slice(changed + 1).filter(({ block: { options }, entry: { kind, text, expected } }) => {
    const shows = expected.lines.length > 0 || expected.noOutput || expected.exitStatus !== undefined;
    const runsHere = options.providers?.includes(provider) ?? true;
    return kind === "command" && shows && runsHere && !options.running && text.startsWith("kubectl ");
  });
  const applied = all[changed] && getOfApplied(all[changed]);
  return applied ? [applied, ...reads] : reads;
}

function getOfApplied({ block, entry }: StepRead): StepRead | undefined {
  const match = /^kubectl apply (-[fk] [^-\s|&;<]\S*(?: -n \S+)?)$/.exec(entry.text);
  if (!match) return undefined;
  const expected = { lines: [], noOutput: false };
  return { block, entry: { ...entry, text: `kubectl get ${match[1]} -o name`, expected } };
}

/**
 * Runs commands that only read, and compares their output with the page. Returns the first difference.
 * Samples bind within the call only. Skips a command with a sample that no output before it has bound.
 */
export async function compareReads(
  reads: readonly StepRead[],
  options: ProgramOptions,
): Promise<PageFailure | undefined> {
  let samples = noSamples;
  for (const { block, entry } of reads) {
    const command = substituteSamples(entry.text, samples);
    if (hasUnboundSample(entry.text, samples)) continue;
    const { status, output } = await runProgram("bash", ["--noprofile", "--norc", "-c", command], options);
    const result = compare({ block, entry, samples }, screenLines(output), status ?? 1, command);
    if ("failure" in result) return result.failure;
    samples = result.samples;
  }
  return undefined;
}

function hasUnboundSample(command: string, samples: Samples): boolean {
  const left = [...samples.values.keys()].reduce((text, sample) => text.replaceAll(sample, ""), command);
  return /\[\.\.[A-Z]/.test(left) || namedObjects.some((shape) => shape.test(left));
}

const namedObjects = shapes
  .filter(({ binds }) => binds === "object")
  .map(({ sample }) => new RegExp(`(?<![A-Za-z0-9])(?:${sample})(?![A-Za-z0-9]|-[A-Za-z0-9])`));
