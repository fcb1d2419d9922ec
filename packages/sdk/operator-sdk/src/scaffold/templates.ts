import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import mustache from "mustache";

const folder = join(import.meta.dirname, "../../templates");
const ending = ".mustache";

/** The values for templates: texts, lists, and whether a section appears. */
export type View = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * Renders a set of templates (a folder of `templates/`). Paths may contain variables as well: `{kind}.ts`.
 *
 * @throws Error for a variable without a value, which is a bug in the scaffold
 */
export function renderSet(set: string, view: View): { path: string; text: string }[] {
  return readdirSync(join(folder, set), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: file
        .slice(join(folder, set).length + 1, -ending.length)
        .replaceAll("\\", "/")
        .replace(/\{(\w+)\}/g, (_, name: string) => String(lookUp(view, name, file))),
      text: render(readFileSync(file, "utf8"), view, file),
    }));
}

function render(template: string, view: View, file: string): string {
  checkNames(mustache.parse(template), view, file);
  return mustache.render(template, view, undefined, { escape: (text: string) => text });
}

/** @throws Error for an unknown variable, which Mustache itself would ignore */
function checkNames(tokens: unknown, view: View, file: string): void {
  for (const [type, name, , , nested] of tokens as [string, string, number, number, unknown][]) {
    if (type === "text" || type === "!" || name === ".") continue;
    lookUp(view, name, file);
    if (Array.isArray(nested)) checkNames(nested, view, file);
  }
}

function lookUp(view: View, name: string, file: string) {
  if (!Object.hasOwn(view, name))
    throw new Error(`${file} uses ${name}, which has no value: add it to the view`);
  return view[name];
}

/** Returns the specifier with which a module in `folder` imports another file of the project. */
export function relativeImport(folder: string, file: string): string {
  const relative = posix.relative(folder, file);
  return relative.startsWith(".") ? relative : `./${relative}`;
}
