import { readFile } from "node:fs/promises";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import { z } from "zod";

const pageSchema = z.object({
  /** Actions that are done: the hash of the block's text, by the action's key. */
  done: z.record(z.string(), z.string()).default({}),
  /** The learner's answers, by the question's id. */
  answers: z.record(z.string(), z.string()).default({}),
});
const schema = z.object({ version: z.literal(1), pages: z.record(z.string(), pageSchema).default({}) });

/** What the workbench remembers of a page, so that it goes on there after the server was killed. */
export type PageMemory = z.infer<typeof pageSchema>;

export interface Memory {
  read(page: string): Promise<PageMemory>;
  /** Writes a page's memory in one atomic step. Writes follow one another. */
  write(page: string, memory: PageMemory): Promise<void>;
}

/** Opens a file of memories. A missing or damaged file counts as empty: the learner's work is in other files. */
export function openMemory(file: string): Memory {
  let last: Promise<void> = Promise.resolve();
  const read = async (): Promise<z.infer<typeof schema>> => {
    try {
      return schema.parse(JSON.parse(await readFile(file, "utf8")));
    } catch {
      return { version: 1, pages: {} };
    }
  };
  return {
    read: async (page) => (await read()).pages[page] ?? { done: {}, answers: {} },
    write(page, memory) {
      const write = async (): Promise<void> => {
        const { pages } = await read();
        const next = { version: 1, pages: { ...pages, [page]: memory } };
        await writePrivateFile(file, `${JSON.stringify(next, null, 2)}\n`);
      };
      last = last.then(write, write);
      return last;
    },
  };
}
