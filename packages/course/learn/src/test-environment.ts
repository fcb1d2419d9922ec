import { tmpdir } from "node:os";

/** An environment as Node has it. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment of the compilers and tests that check a learner's files: `env`, without colours. */
export function testEnvironment(env: Environment): Record<string, string> {
  return { TMPDIR: tmpdir(), NO_COLOR: "1", ...definedOf(env) };
}

/** Returns the variables that have a value. */
export function definedOf(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
