import { relative, resolve } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { createTwoFilesPatch } from "diff";
import { colors } from "../colors.ts";
import { exerciseOf, exercisesUpTo } from "./exercises.ts";
import { historyOf } from "./history-of.ts";
import { findPlace } from "./place.ts";
import { withoutCarriageReturns, withUnixLineEnds } from "./problem.ts";
import { filesAt } from "./standing.ts";
import { type CheckOptions, workOf } from "./where-learner-is.ts";

/**
 * `pnpm learn diff`: shows how to turn the learner's files into the page's at the learner's step, as unified diffs.
 * Resolves to the exit status: 1 if a file differs. Throws UserError for a file that neither has.
 *
 * @param file relative to the current folder or to the project. Default: all files of the page
 */
export async function showDiff(file: string | undefined, options: CheckOptions): Promise<number> {
  const place = await findPlace(options);
  const history = await historyOf(place, options);
  const work = await workOf(place, history, options);
  const own = work.files;
  const wanted = filesAt(history, work.standing.reached);
  const chosen = file === undefined ? [...wanted.keys()].sort() : [fileOf(file)];
  const different = chosen.filter((path) => own.get(path) !== wanted.get(path)?.text);
  const begun = exercisesUpTo(history, work.standing.reached);
  for (const path of different) {
    const exercise = exerciseOf(begun, path);
    const starter = exercise?.block.content.trim() ?? "";
    // The page's text is the solution. One that only adds lines has those of the starter, too.
    const isUnsolved =
      exercise && own.get(path)?.includes(starter) && !wanted.get(path)?.text.includes(starter);
    if (isUnsolved) options.say(`${path} still has the starter of an exercise. ${options.words.exercises}`);
    else options.say(format(path, wanted.get(path)?.text, own.get(path)));
  }
  if (different.length === 0) options.say(`${file ?? "Every file"} matches the page.`);
  return different.length === 0 ? 0 : 1;

  function fileOf(name: string): string {
    const fromHere = relative(place.project, resolve(options.cwd, name));
    const found = [fromHere, name].find((path) => own.has(path) || wanted.has(path));
    if (found !== undefined) return found;
    throw new UserError(
      `there is no ${name} in ${place.project}, and the page does not have it at this step either`,
    );
  }
}

function format(path: string, page: string | undefined, own: string | undefined): string {
  const text = withoutCarriageReturns(own ?? "");
  if (own !== undefined && text === page)
    return `${path} has the page's lines, with Windows line ends (CRLF). Remove them: ${withUnixLineEnds(path)}`;
  return unifiedDiff(
    { name: own === undefined ? "/dev/null" : `yours/${path}`, text },
    { name: page === undefined ? "/dev/null" : `page/${path}`, text: page ?? "" },
  );
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** Formats how two texts differ for a terminal, as a unified diff. */
export function unifiedDiff(before: Named, after: Named): string {
  return createTwoFilesPatch(before.name, after.name, before.text, after.text)
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("===="))
    .map(coloured)
    .join("\n");
}

function coloured(line: string): string {
  if (/^(?:---|\+\+\+) /.test(line)) return colors.bold(line);
  if (line.startsWith("-")) return colors.red(line);
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("@@") ? colors.cyan(line) : line;
}
