import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawn, hasChromium } from "@operator-path/ui/testing";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openInChromium, seriousViolations, starter } from "./testing/open-in-chromium.ts";

/** Draws as late as a very busy machine. Messages and keys arrive in time. */
const lateFrames = `
  const { setTimeout } = globalThis;
  globalThis.requestAnimationFrame = (callback) => setTimeout(callback, 2000, performance.now());
  globalThis.setTimeout = (callback, delay = 0, ...values) => setTimeout(callback, Math.max(delay, 2000), ...values);`;

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
    const focus = () => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.id");
    await page.keyboard.press("F6");
    expect(await focus()).toBe("tab-main");
    await page.keyboard.press("F6");
    expect(await focus()).toBe("Terminal main. Press F6 to leave it.");
    await page.keyboard.press("F6");
    expect(await focus()).not.toContain("main");
  });

  test("asks before it shows a result, and then shows the page's lines beside the learner's", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Differ, to do" }).click();
    const run = page.getByRole("button", { name: /Run in terminal main/ });
    expect(await run.isDisabled()).toBe(true);
    await page.getByText("Shown after your answer").waitFor();
    await page.getByText("The step continues after your answer.").waitFor();
    expect(await page.getByText("Two lines.").count()).toBe(0);
    await page.getByRole("textbox", { name: /What do you expect/ }).fill("a, b");
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("You expected: a, b").waitFor();
    await page.getByText("Two lines.").waitFor();
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

  test("covers the cluster while a question waits for its answer", async () => {
    const { page } = await open();
    const search = page.getByRole("searchbox", { name: "Find an object" });
    await search.waitFor();
    await page.getByRole("button", { name: "Differ, to do" }).click();
    const uncover = page.getByRole("button", { name: "Show the cluster anyway" });
    await uncover.waitFor();
    expect(await search.count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await uncover.press("Enter");
    await search.waitFor();
    await page.reload();
    await uncover.waitFor();
    await page.getByRole("button", { name: "Skip" }).click();
    await search.waitFor();
  });

  test("keeps the focus where the keyboard goes on", async () => {
    const { page } = await open();
    const isArticle = () => page.evaluate("document.activeElement.tagName");
    await expect.poll(isArticle).toBe("ARTICLE");
    await page.getByRole("button", { name: "Differ, to do" }).click();
    await expect.poll(isArticle).toBe("ARTICLE");
    await page.getByRole("button", { name: "Skip" }).click();
    await expect.poll(() => focus(page)).toBe("You skipped this question.");
    const run = page.getByRole("button", { name: /Run in terminal main/ });
    await run.press("Enter");
    await page.getByRole("button", { name: "Count it as done" }).press("Enter");
    await page.locator(".difference").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.className")).toContain("entry-done");
    await page.keyboard.press("Tab");
    expect(await focus(page)).toMatch(/^Run in terminal main.*, done$/);
    await page.reload();
    await run.waitFor();
    await expect.poll(() => focus(page)).toMatch(/^Run in terminal main.*, done$/);
    await page.getByRole("tab", { name: /main$/ }).focus();
    await page.reload();
    await expect.poll(() => focus(page)).toMatch(/main$/);
  });

  test("keeps what a command did while an older state was on its way to the page", async () => {
    const { page } = await open();
    const late = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/api/workbench", async (route) => {
      const response = await route.fetch();
      asked += 1;
      // The page asks again when its connection is there.
      if (asked === 2) await late.promise;
      await route.fulfill({ response });
    });
    await page.reload();
    await expect.poll(() => asked).toBe(2);
    await page.getByRole("button", { name: "Next: Run" }).click();
    await page.getByRole("button", { name: /Run in terminal main: echo one/ }).press("Enter");
    const done = page.getByRole("button", { name: /Run in terminal main: echo one.*, done$/ });
    await done.waitFor();
    const older = page.waitForResponse("**/api/workbench");
    late.resolve();
    await (await older).finished();
    await drawn(page);
    expect(await done.count()).toBe(1);
  });

  test("shows the step that was shown last when the window is opened again", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Differ, to do" }).click();
    await page.getByRole("heading", { name: "Differ", level: 1 }).waitFor();
    const { origin } = new URL(page.url());
    await page.goto("about:blank");
    await page.goto(origin);
    await page.getByRole("heading", { name: "Differ", level: 1 }).waitFor();
  });

  test("keeps what the last check of an exercise said, and offers its solution once", async () => {
    const { page, course } = await open();
    await page.getByRole("button", { name: "Practise, to do" }).click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("exercise practise 1 check").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Next: Practise" }).click();
    await page.getByText("exercise practise 1 check").waitFor();
    await page.getByText("1 of 2 tests pass").waitFor();
    // What is hidden but for screen readers must not make the window scroll.
    await page.setViewportSize({ width: 1280, height: 400 });
    expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    const failed = page.getByRole("listitem").filter({ hasText: "Failed: forgets" });
    expect(await failed.locator("dd").allTextContents()).toEqual(["3", "0"]);
    await failed.getByText("It fails at src/c.ts:1.").waitFor();
    expect(await failed.getByText("+ Received").isVisible()).toBe(false);
    await failed.getByText("Full test output").click();
    await failed.getByText("+ Received").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await failed.getByRole("button", { name: "Open src/c.ts" }).click();
    await page.getByRole("button", { name: "Close c.ts" }).waitFor();
    const solution = page.getByText("Solution", { exact: true });
    expect(await solution.count()).toBe(1);
    await solution.click();
    await page.getByRole("button", { name: "Write it into my folder" }).click();
    const question = page.getByRole("dialog", { name: "Take the solution?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Write it into my folder" }).click();
    await question.getByText("What you have written is saved first.").waitFor();
    await question.getByRole("button", { name: "Take the solution" }).click();
    await page.getByText("exercise practise 1 solution").waitFor();
    expect(course.asked.filter((one) => one.endsWith("solution"))).toHaveLength(1);
  });

  test("begins an exercise once, and opens it where the learner writes", async () => {
    const { page, learner } = await open();
    mkdirSync(join(learner.project, "src"));
    writeFileSync(join(learner.project, "src/c.ts"), `${"// Above.\n".repeat(100)}${starter}`);
    await page.getByRole("button", { name: "Practise, to do" }).click();
    const begin = page.getByRole("button", { name: "Begin", exact: true });
    await begin.press("Enter");
    const exercise = page.locator(".exercise").first();
    await exercise.getByRole("button", { name: "Open" }).waitFor();
    expect(await begin.count()).toBe(0);
    expect(await focus(page)).toBe("Open");
    const place = page.locator(".cm-activeLine", { hasText: starter.trim() });
    await place.waitFor();
    await page.reload();
    await page.getByRole("tab", { name: /main$/ }).click();
    await exercise.getByRole("button", { name: "Open" }).click();
    await place.waitFor();
  });

  test("shows again what the last check of the work said", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Check my work" }).press("Enter");
    const said = page.getByText("check undefined");
    await said.waitFor();
    await page.keyboard.press("Escape");
    await said.waitFor({ state: "detached" });
    expect(await focus(page)).toBe("Check my work");
    await page.getByRole("button", { name: "Result of the last check" }).press("Enter");
    await said.waitFor();
  });

  test("takes Escape before an answer is drawn", async () => {
    const { page } = await open();
    await page.addInitScript(lateFrames);
    await page.reload();
    await page.getByRole("button", { name: "Check my work" }).press("Enter");
    const said = page.getByText("check undefined");
    await said.waitFor();
    await page.keyboard.press("Escape");
    await said.waitFor({ state: "detached" });
  });

  test("shows a change that comes before the window is drawn", async () => {
    const { page, learner } = await open();
    await page.addInitScript(lateFrames);
    await page.reload();
    await page.getByRole("heading", { name: "Try" }).waitFor();
    writeFileSync(join(learner.project, "new.json"), "{}\n");
    await page.locator(".file-item", { hasText: "new.json" }).waitFor({ state: "attached" });
  });

  test("leaves a slash to the page, and searches the cluster with one typed there", async () => {
    const { page } = await open();
    await page.locator("article").focus();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
    await page.locator("button.node").first().press("/");
    expect(await focus(page)).toBe("Find an object");
  });

  test("notices a server that hangs, beside everything that can be used", async () => {
    const { page } = await open();
    let hangs = false;
    await page.routeWebSocket(/workbench/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => hangs || socket.send(message));
    });
    await page.reload();
    const bar = page.getByRole("status").filter({ hasText: "The server does not answer" });
    await page.locator(".xterm-rows", { hasText: "(session)" }).first().waitFor();
    expect(await bar.count()).toBe(0);
    hangs = true;
    await bar.waitFor();
    const panes = page.locator(".panes");
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    expect((await panes.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
    hangs = false;
    await bar.waitFor({ state: "detached" });
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
    const [first, second, third] = ["Try", "More", "Most"].map((title) =>
      page.getByRole("menuitem", { name: new RegExp(`^${title}`) }),
    );
    await button.press("ArrowDown");
    await first?.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const expected: [string, typeof first][] = [
      ...[["ArrowDown", second] as [string, typeof first], ["End", third] as [string, typeof first]],
      ...[["ArrowDown", first] as [string, typeof first], ["ArrowUp", third] as [string, typeof first]],
      ["Home", first],
    ];
    expect(await focus(page)).toMatch(/^Try/);
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
});
