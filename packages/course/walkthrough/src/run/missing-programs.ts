import type { Page } from "../page/page.ts";
import { findOnPath } from "./find-on-path.ts";

/** Programs that come with the repository, or by npm. */
const brought: ReadonlySet<string> = new Set(["helm", "kubectl", "operator-sdk", "pnpm"]);

/** Returns the programs that a page needs of the machine, and that are not on the PATH. Every page's terminals are bashes. */
export function missingPrograms(
  { frontMatter }: Page,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const needed = ["bash", ...frontMatter.requires.filter((name) => !brought.has(name))];
  return needed.filter((name) => findOnPath(name, env.PATH ?? "") === undefined);
}
