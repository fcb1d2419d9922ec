import { hasChromium } from "@operator-path/ui/testing";
import type { Page } from "playwright-core";
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

/** Returns what the element that has the focus is called. */
const focus = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");

const screen = (page: Page) => page.locator(".xterm-screen").first();

describe.skipIf(!hasChromium())("the workbench in Chromium", () => {
  const open = openInChromium();

  test("runs a step by keyboard alone: Enter runs a command, and the next has the focus", async () => {
    const { page } = await open();
    expect(page.url()).not.toContain("token");
    await page.getByRole("button", { name: "Next: Run" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Run in terminal main: echo one/ }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toContain("echo two");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toContain("a long line");
    await page.keyboard.press("Enter");
    await page.locator(".status-done").waitFor();
    // The first command has scrolled away.
    await expect.poll(() => screen(page).textContent()).toMatch(/one.*echo two/s);
    await page.locator(".diagram svg").waitFor();
    await page.keyboard.press("F6");
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('[data-region]').className"))
      .toBe("work-pane");
  });

  test("asks before it shows a result, and then shows the page's lines beside the learner's", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Differ, to do" }).click();
    const run = page.getByRole("button", { name: /Run in terminal main/ });
    expect(await run.isDisabled()).toBe(true);
    await page.getByText("Shown after your answer").waitFor();
    await page.getByRole("textbox", { name: /What do you expect/ }).fill("a, b");
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("You expected: a, b").waitFor();
    const notebook = page.getByRole("button", { name: "Notebook" });
    await notebook.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Notebook" });
    await dialog.getByText("What comes now?").waitFor();
    await dialog.getByText("You expected: a, b").waitFor();
    await dialog.getByText("not read-only").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Notebook");
    await run.click();
    await page.locator(".difference").waitFor();
    expect(await page.locator(".diff .removed").textContent()).toBe("− b\n");
    expect(await page.locator(".diff .added").textContent()).toBe("+ c\n");
  });

  test("keeps the focus where the keyboard goes on", async () => {
    const { page } = await open();
    const isArticle = () => page.evaluate("document.activeElement.tagName");
    expect(await isArticle()).toBe("ARTICLE");
    await page.getByRole("button", { name: "Differ, to do" }).click();
    expect(await isArticle()).toBe("ARTICLE");
    await page.getByRole("button", { name: "Skip" }).click();
    const run = page.getByRole("button", { name: /Run in terminal main/ });
    await run.press("Enter");
    await page.getByRole("button", { name: "Count it as done" }).press("Enter");
    await page.locator(".difference").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.className")).toContain("entry-done");
    await page.keyboard.press("Tab");
    expect(await focus(page)).toMatch(/^Run in terminal main.*, done$/);
    await page.reload();
    await run.waitFor();
    await expect.poll(() => focus(page)).toMatch(/^Run in terminal main.*, done$/);
    await page.getByRole("tab", { name: /main$/ }).focus();
    await page.reload();
    await expect.poll(() => focus(page)).toMatch(/main$/);
  });

  test("shows code in whole lines", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Write more, to do" }).click();
    const rest = await page.evaluate(`(() => {
      const code = document.querySelector(".file-block .code");
      const { lineHeight, paddingTop } = getComputedStyle(code);
      const lines = (code.clientHeight - parseFloat(paddingTop)) / parseFloat(lineHeight);
      return [code.scrollHeight > code.clientHeight, lines % 1];
    })()`);
    expect(rest).toEqual([true, 0]);
  });

  test("keeps what the last check of an exercise said, and offers its solution once", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Practise, to do" }).click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("exercise practise 1 check").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Next: Practise" }).click();
    await page.getByText("exercise practise 1 check").waitFor();
    expect(await page.getByText("Solution").count()).toBe(1);
    await page.getByText("Solution").click();
    await page.getByRole("button", { name: "Write it into my folder" }).click();
    await page.getByText("exercise practise 1 solution").waitFor();
  });

  test("goes on after a reload, with the terminal's output", async () => {
    const { page } = await open({ viewport: { width: 1280, height: 560 } });
    await page.getByRole("button", { name: "Next: Run" }).click();
    await page.getByRole("button", { name: /echo one/ }).click();
    await page.getByRole("button", { name: /echo one, done/ }).waitFor();
    await page.locator(".page-scroll").evaluate((element) => element.scrollTo(0, 40));
    await page.reload();
    await page.getByRole("button", { name: /echo one, done/ }).waitFor();
    await expect.poll(() => page.locator(".page-scroll").evaluate((element) => element.scrollTop)).toBe(40);
    await expect.poll(() => screen(page).textContent()).toContain("echo one");
    await page.locator(".xterm-helper-textarea").first().focus();
    await page.keyboard.type("echo my$((1+1))own\n");
    await expect.poll(() => screen(page).textContent()).toContain("my2own");
  });

  test("loses nothing when the window becomes narrow and wide again", async () => {
    const wide = { width: 1280, height: 640 };
    const { page } = await open({ viewport: wide });
    await page.getByRole("button", { name: "Run, to do" }).click();
    await page.locator("button.node").first().click();
    await page.getByRole("tab", { name: "Changes" }).click();
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

  test("causes a fault, says what to look at, and ends it", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Break something" }).click();
    const watch = page.getByRole("button", { name: /^Break the watch.*No operator watches anything/ });
    expect(await watch.isDisabled()).toBe(true);
    await page.getByRole("button", { name: /^Refuse its writes/ }).click();
    const report = page.getByRole("status").filter({ hasText: "403 Forbidden" });
    await report.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await report.waitFor();
    await page.getByRole("button", { name: "Allow again" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await report.waitFor({ state: "detached" });
  });

  test("shows a fault's whole report on a narrow screen", async () => {
    const { page } = await open({ viewport: { width: 400, height: 800 } });
    await page.getByRole("button", { name: "Break something" }).click();
    await page.getByRole("button", { name: /^Refuse its writes/ }).click();
    const strip = page.getByRole("complementary", { name: "Break something" });
    await strip.getByText("403 Forbidden").waitFor();
    expect(await strip.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  });

  test("counts the page's steps in the list of pages, too", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    await page.getByText("1 of 5 steps done").waitFor();
    await page.getByRole("button", { name: "Choose a page: Try" }).click();
    await page.getByRole("img", { name: "1 of 5 steps done" }).waitFor();
  });

  test("keeps the buttons of a step in their place when it says what a catch-up did", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Write, to do" }).click();
    const next = page.getByRole("button", { name: "Next: Write more" });
    const place = () =>
      next.evaluate((button) => {
        const { left, top } = button.getBoundingClientRect();
        return [left, top - (button.parentElement?.getBoundingClientRect().top ?? 0)];
      });
    const before = await place();
    const catchUp = page.getByRole("button", { name: "Catch up to here" });
    await catchUp.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Catch up to here" });
    await dialog.getByText("Your own are saved first.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await focus(page)).toBe("Catch up to here");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Write the files" }).press("Enter");
    await page.getByText("catch-up write").waitFor();
    expect(await focus(page)).toBe("Catch up to here");
    expect(await place()).toEqual(before);
  });

  test("chooses a page with the keys of a menu", async () => {
    const { page } = await open();
    const button = page.getByRole("button", { name: "Choose a page: Try" });
    const [first, second, third] = ["t/1", "t/2", "t/3"].map((name) =>
      page.getByRole("menuitem", { name: new RegExp(`^${name}`) }),
    );
    await button.press("ArrowDown");
    await first?.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const expected: [string, typeof first][] = [
      ...[["ArrowDown", second] as [string, typeof first], ["End", third] as [string, typeof first]],
      ...[["ArrowDown", first] as [string, typeof first], ["ArrowUp", third] as [string, typeof first]],
      ["Home", first],
    ];
    expect(await focus(page)).toMatch(/^t\/1/);
    for (const [key, item] of expected) {
      await page.keyboard.press(key);
      expect(await focus(page)).toBe(await item?.textContent());
    }
    await page.keyboard.press("Escape");
    await first?.waitFor({ state: "detached" });
    expect(await focus(page)).toBe("Choose a page: Try");
  });

  test("sends less than 1.5 MB before the editor opens", async () => {
    const { page } = await open();
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .reduce((sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0), 0),
    );
    expect(bytes).toBeLessThan(1_500_000);
  });

  describe.each([1280, 400])("at %i pixels", (width) => {
    test.each(["light", "dark"] as const)("has nothing serious for axe, %s", async (colorScheme) => {
      const { page } = await open({ viewport: { width, height: 800 }, colorScheme });
      for (const step of ["Run", "Differ", "Write"]) {
        await page.getByRole("button", { name: `${step}, to do` }).click();
        expect(await seriousViolations(page)).toEqual([]);
      }
      await page.getByRole("button", { name: "Run, to do" }).click();
      await page.locator(".diagram svg").waitFor();
      expect(await page.evaluate(cutDiagrams)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      const article = "document.querySelector('.page-scroll')";
      expect(
        await page.evaluate(`${article}.getBoundingClientRect().right - innerWidth`),
      ).toBeLessThanOrEqual(0);
    });
  });
});
