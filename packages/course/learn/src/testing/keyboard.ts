import type { Locator, Page } from "playwright-core";

/** Plays a page of the browser with keys alone, as a learner without a pointer does. */
export interface Keyboard {
  /**
   * Moves the focus to an element: F6 to its region, then Tab or Shift+Tab. Throws if keys do not get there, or
   * the focus is lost or cannot be seen on the way.
   */
  focus(target: Locator): Promise<void>;
  /** Moves the focus to an element, and presses a key on it. Default: Enter. */
  press(target: Locator, key?: string): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
}

/** More keys than a learner would press. */
const mostKeys = 200;

type Way = "here" | "F6" | "Tab" | "Shift+Tab" | { readonly problem: string };

/** Returns whether an element has the focus. */
export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate(inBrowser<boolean>("return element === document.activeElement;"));
}

export function openKeyboard(page: Page): Keyboard {
  async function focus(target: Locator): Promise<void> {
    await target.waitFor();
    const keys: string[] = [];
    while (keys.length < mostKeys) {
      const way = await target.evaluate(inBrowser<Way>(wayTo));
      if (way === "here") return;
      if (typeof way !== "string") throw new Error(`${way.problem}, after ${keys.slice(-10).join(" ")}`);
      keys.push(way);
      await page.keyboard.press(way);
    }
    throw new Error(`${mostKeys} keys do not lead to ${String(target)}: ${keys.slice(-10).join(" ")}`);
  }
  return {
    focus,
    async press(target, key = "Enter") {
      await focus(target);
      await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
  };
}

/** Returns a function for `evaluate`. Only the browser's types know `document`. */
function inBrowser<R>(body: string): (element: unknown) => R {
  return new Function("element", body) as (element: unknown) => R;
}

/** Evaluated in the browser: says which key leads from the focus towards an element. */
const wayTo = `
  const active = document.activeElement;
  if (active === element) return "here";
  // After a page was loaded, or an object of the cluster was deleted, F6 begins.
  if (active === null || active === document.body) return "F6";
  const regionOf = (one) => one.closest("[data-region]");
  const name = active.ariaLabel ?? active.textContent.slice(0, 60);
  const { top, bottom, height } = active.getBoundingClientRect();
  const isTerminal = active.matches(".xterm-helper-textarea");
  if (!isTerminal && (height === 0 || bottom <= 0 || top >= innerHeight))
    return { problem: 'the focus is on "' + name + '", which is not on the screen' };
  const { outlineStyle, boxShadow } = getComputedStyle(active);
  // A text has a cursor, and the focus of a whole page is where it begins.
  const isSeen = outlineStyle !== "none" || boxShadow !== "none";
  if (!isSeen && !active.matches("textarea, input, .cm-content, article"))
    return { problem: 'the focus on "' + name + '" cannot be seen' };
  if (regionOf(active) !== regionOf(element)) return "F6";
  return active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
`;
