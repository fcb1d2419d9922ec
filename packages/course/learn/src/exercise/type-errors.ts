import { reachableFrom } from "../check/covering-tests.ts";
import { projectPath, readProject } from "../check/place.ts";
import { typeErrorsOf } from "../check/types.ts";
import { testEnvironment } from "../test-environment.ts";

/** What a learner wrote for an exercise. */
export interface Written {
  /** Absolute path. */
  readonly path: string;
  /** Path on the page. */
  readonly file: string;
  readonly text: string;
  readonly starter: string;
}

/**
 * Returns a line for each type error in the learner's file, and in those that it imports. Tests run without a type
 * check, so a misspelled method would fail them with a difference that does not name it. Returns none for the starter,
 * which need not compile, and for a project without a compiler.
 */
export async function typeErrorsIn(
  { path, file, text, starter }: Written,
  {
    env,
    signal,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<string[]> {
  if (text === starter || !/\.[cm]?tsx?$/.test(file)) return [];
  const inProject = projectPath(file);
  const project = path.slice(0, -inProject.length - 1);
  const errors = (await typeErrorsOf(project, { env: testEnvironment(env), signal })) ?? [];
  if (errors.length === 0) return [];
  const used = reachableFrom(inProject, readProject(project));
  return errors
    .filter((error) => used.has(error.file))
    .map(({ file: at, line, column, message }) => `✗ ${at}:${line}:${column}: ${message}`);
}
