import type { CurrentWorkbench } from "./routes.ts";
import { openWorkbench, type WorkbenchOptions } from "./workbench.ts";

/** Opens a page, which other pages can replace later. Disposing it closes the current page. */
export async function openCurrentWorkbench(
  page: string,
  options: WorkbenchOptions,
): Promise<CurrentWorkbench & AsyncDisposable> {
  const { course } = options;
  let current = await openWorkbench(page, options);
  let opened = page;

  async function goBackTo(name: string, aside: string): Promise<void> {
    // Its terminals and watches use the cluster that stops.
    await current[Symbol.asyncDispose]();
    await course.goBackTo(name);
    try {
      current = await openWorkbench(name, { ...options, aside });
    } catch (error) {
      current = await openWorkbench(opened, options);
      throw error;
    }
  }

  async function goTo(name: string): Promise<void> {
    const next = await openWorkbench(name, options);
    const before = current;
    current = next;
    await before[Symbol.asyncDispose]();
  }

  return {
    current: () => current,
    async open(name) {
      const later = await course.laterThan(name);
      await (later === undefined ? goTo(name) : goBackTo(name, later));
      opened = name;
      return current;
    },
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  };
}
