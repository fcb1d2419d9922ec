import { drawn, hasChromium } from "@operator-path/ui/testing";
import { describe, expect, test } from "vitest";
import { openInChromium, seriousViolations } from "./testing/open-in-chromium.ts";

/** Returns what leaves the diagram, and "diagram" if the diagram leaves its box. */
const cutDiagrams = `(() => {
  const svg = document.querySelector(".diagram svg");
  const area = svg.getBoundingClientRect();
  const box = document.querySelector(".diagram");
  const cut = [...svg.querySelectorAll(".node, .edgeLabel")]
    .filter((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < area.left || right > area.right || top < area.top || bottom > area.bottom;
    })
    .map((part) => part.textContent);
  return box.scrollWidth > box.clientWidth ? [...cut, "diagram"] : cut;
})()`;

/** Notes in `window.scrolled` if a change of the document gives the window a scrollbar, if only for a moment. */
const noteScrollbars = `
  new MutationObserver(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    if (scrollHeight > clientHeight) window.scrolled = true;
  }).observe(document.body, { subtree: true, childList: true })`;

/** Returns the buttons and fields on the screen that are smaller than 24 by 24 pixels. */
const smallTargets = `
  [...document.querySelectorAll("button, input, select, summary, [role=slider]")]
    .filter((target) => target.checkVisibility())
    .map((target) => [target.ariaLabel ?? target.textContent, target.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 24 || height < 24)
    .map(([name, { width, height }]) => name + " " + width + " " + height)`;

describe.skipIf(!hasChromium())("the layout of the workbench in Chromium", () => {
  const open = openInChromium();

  test("shows code in whole lines", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Write more, to do" }).click();
    await drawn(page);
    const rest = await page.evaluate(`(() => {
      const code = document.querySelector(".file-block .code");
      const { lineHeight, paddingTop } = getComputedStyle(code);
      const lines = (code.clientHeight - parseFloat(paddingTop)) / parseFloat(lineHeight);
      return [code.scrollHeight > code.clientHeight, lines % 1];
    })()`);
    expect(rest).toEqual([true, 0]);
  });

  test("loses nothing when the window becomes narrow and wide again", async () => {
    const wide = { width: 1280, height: 640 };
    const { page } = await open({ viewport: wide });
    await page.getByRole("button", { name: "Run, to do" }).click();
    await page.locator("button.node").first().click();
    await page.getByRole("tab", { name: "Changes" }).click();
    // The time line has its first entries a moment after the objects.
    await page
      .locator(".timeline-current")
      .getByText(/\d\d:\d\d/)
      .waitFor({ state: "attached" });
    await page.getByRole("slider", { name: "Time" }).press("ArrowLeft");
    await page.locator(".page-scroll").evaluate((element) => element.scrollTo(0, 40));
    const place = () =>
      page.evaluate(`[
        document.querySelector(".page-scroll").scrollTop,
        document.querySelector(".as-of").textContent,
        document.querySelector("button.node[aria-pressed=true]").textContent,
        document.querySelector(".detail [aria-selected=true]").textContent,
      ]`);
    const before = await place();
    expect(before).toMatchObject([40, expect.stringMatching(/^as of/), expect.any(String), "Changes"]);
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByRole("button", { name: "Cluster", exact: true }).click();
    expect(await page.locator(".page-pane").isVisible()).toBe(false);
    expect(await page.locator(".detail").isVisible()).toBe(true);
    await page.setViewportSize(wide);
    await expect.poll(() => page.locator(".page-pane").isVisible()).toBe(true);
    expect(await place()).toEqual(before);
  });

  test("fits a terminal again that changed its size while it was hidden, and shows its end", async () => {
    const wide = { width: 1280, height: 640 };
    const { page } = await open({ viewport: wide });
    // As on a busy machine: the browser is never idle, and says late that an element is visible.
    await page.addInitScript(`
      globalThis.requestIdleCallback = () => 0;
      globalThis.IntersectionObserver = class extends IntersectionObserver {
        constructor(callback, options) {
          const late = (...entries) => requestAnimationFrame(() => requestAnimationFrame(() => callback(...entries)));
          super(late, options);
        }
      };
    `);
    await page.reload();
    await page.locator(".xterm-helper-textarea").first().press("s");
    await page.keyboard.type("eq 100\n");
    await page.locator(".xterm-rows", { hasText: "100" }).first().waitFor();
    const below = () =>
      page.evaluate(`(() => {
        const screen = document.querySelector(".screen");
        return screen.querySelector(".xterm-screen").getBoundingClientRect().bottom - screen.getBoundingClientRect().bottom;
      })()`);
    const fits = async () => {
      await expect.poll(below).toBeLessThanOrEqual(0);
      await page.locator(".xterm-rows", { hasText: "100" }).first().waitFor();
    };
    await fits();
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByRole("button", { name: "Terminals, editor", exact: true }).click();
    await fits();
    await page.getByRole("tab", { name: "Editor" }).click();
    await page.setViewportSize(wide);
    await page.getByRole("tab", { name: /main$/ }).click();
    await fits();
  });

  test("shows a fault's whole report on a narrow screen", async () => {
    const { page } = await open({ viewport: { width: 400, height: 800 } });
    await page.getByRole("button", { name: "Break something" }).click();
    await page.getByRole("button", { name: /^Refuse its writes/ }).click();
    const strip = page.getByRole("complementary", { name: "Break something" });
    await strip.getByText("403 Forbidden").waitFor();
    expect(await strip.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  });

  test("has no target below 24 pixels on a narrow screen", async () => {
    const { page } = await open({ viewport: { width: 400, height: 800 } });
    for (const step of ["Run", "Differ", "Write more", "Practise"]) {
      await page.getByRole("button", { name: `${step}, to do` }).click();
      expect(await page.evaluate(smallTargets)).toEqual([]);
    }
    await page.getByRole("button", { name: "Break something" }).click();
    await page.getByRole("button", { name: /^Refuse its writes/ }).waitFor();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Write more, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/b.ts" }).click();
    await page.getByRole("textbox", { name: "src/b.ts" }).waitFor();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await page.getByRole("button", { name: "Cluster", exact: true }).click();
    await page.locator("button.node").first().click();
    expect(await page.evaluate(smallTargets)).toEqual([]);
  });

  describe.each([1280, 400])("at %i pixels", (width) => {
    test.each(["light", "dark"] as const)("has nothing serious for axe, %s", async (colorScheme) => {
      const { page } = await open({ viewport: { width, height: 800 }, colorScheme });
      await page.evaluate(noteScrollbars);
      for (const step of ["Run", "Differ", "Write"]) {
        await page.getByRole("button", { name: `${step}, to do` }).click();
        expect(await seriousViolations(page)).toEqual([]);
      }
      await page.getByRole("button", { name: "Run, to do" }).click();
      await page.locator(".diagram svg").waitFor();
      expect(await page.evaluate("window.scrolled")).toBeUndefined();
      expect(await page.evaluate(cutDiagrams)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      const article = "document.querySelector('.page-scroll')";
      expect(
        await page.evaluate(`${article}.getBoundingClientRect().right - innerWidth`),
      ).toBeLessThanOrEqual(0);
    });
  });
});
