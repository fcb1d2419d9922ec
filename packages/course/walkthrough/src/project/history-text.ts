import { z } from "zod";
import type { Page } from "../page/page.ts";
import type { FileVersion, Origin, ProjectHistory } from "./history.ts";

/** Index of the version of each path. */
const filesSchema = z.array(z.tuple([z.string(), z.number()]));

const schema = z.object({
  /** Each version once. A line without an origin is null, others are page and line. */
  versions: z.array(
    z.object({ text: z.string(), origins: z.array(z.tuple([z.number(), z.number()]).nullable()) }),
  ),
  start: filesSchema,
  /** Page, step of the page, block of the step. */
  states: z.array(z.object({ at: z.tuple([z.number(), z.number(), z.number()]), files: filesSchema })),
});

type Files = ReadonlyMap<string, FileVersion>;

/** Returns a history as JSON in one line. @param pages as `recordHistory` got them */
export function formatHistory({ start, states }: ProjectHistory, pages: readonly Page[]): string {
  const versions = new Map<FileVersion, number>();
  const indexOf = (version: FileVersion): number => {
    const index = versions.get(version) ?? versions.size;
    versions.set(version, index);
    return index;
  };
  const filesOf = (files: Files) => [...files].map(([path, version]) => [path, indexOf(version)]);
  const text = {
    start: filesOf(start),
    states: states.map(({ page, step, block, files }) => ({
      at: [pages.indexOf(page), page.steps.indexOf(step), step.blocks.indexOf(block)],
      files: filesOf(files),
    })),
    versions: [...versions.keys()].map(({ text, origins }) => ({
      text,
      origins: origins.map((origin) => origin && [pages.indexOf(origin.page), origin.line]),
    })),
  };
  return JSON.stringify(text);
}

/**
 * Reads the JSON of `formatHistory`. Returns undefined if it is damaged. A version that a block leaves alone is the
 * same object, as in the history that was written.
 *
 * @param pages the same ones, read again. If their text has changed, the result may be wrong
 */
export function parseHistory(text: string, pages: readonly Page[]): ProjectHistory | undefined {
  try {
    const written = schema.parse(JSON.parse(text));
    const pageAt = (index: number): Page => at(pages, index);
    const originOf = (origin: readonly [number, number] | null): Origin | undefined =>
      origin ? { page: pageAt(origin[0]), line: origin[1] } : undefined;
    const versions = written.versions.map(({ text, origins }) => ({ text, origins: origins.map(originOf) }));
    const filesOf = (files: z.infer<typeof filesSchema>): Files =>
      new Map(files.map(([path, version]) => [path, at(versions, version)]));
    const states = written.states.map(({ at: [page, step, block], files }) => {
      const found = at(pageAt(page).steps, step);
      return { page: pageAt(page), step: found, block: at(found.blocks, block), files: filesOf(files) };
    });
    return { start: filesOf(written.start), states };
  } catch {
    return undefined;
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  return item;
}
