import { hasChromium, launchChromium } from "@operator-path/ui/testing";
import { findPnpm } from "@operator-path/walkthrough";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { openHome } from "../testing/home.ts";
import { hasFocus, type Keyboard, openKeyboard } from "../testing/keyboard.ts";

/** Pages of the tutorial to do. For all three, in this package: `WHOLE_TUTORIAL=1 pnpm test:slow whole-page`. */
const pages = process.env.WHOLE_TUTORIAL ? 3 : 1;
/** Buttons and exercises of the step, in the page's order. Those in closed folds are hints and solutions. */
const actions = "article [data-run]:visible, article .exercise:visible";
const patience = { timeout: 600_000 };

test.skipIf(!hasChromium())(
  "a page, from the first button to the last, as a learner in the browser without a pointer",
  async () => {
    const page = await openWorkbench("01-podbuggertool/1");
    const learner: Learner = { page, keys: openKeyboard(page) };
    await doPage(learner, {
      async "Watch by hand"() {
        await page.reload();
        await expect.poll(() => rail(page, "ariaLabel")).toContain("Watch by hand, done");
        await page.getByRole("heading", { name: "Watch by hand", level: 1 }).waitFor();
        await typeInEditor(learner);
        await typeInTerminal(learner);
      },
      async "Add the tool"() {
        await pods(page).getByText("2 ephemeral").first().waitFor();
        await readYaml(learner);
      },
      "What you can do now": () => killOperator(learner),
    });
    await goBackInTime(learner);
    for (const title of next.slice(0, pages - 1)) {
      await learner.keys.press(nextPage(page, title));
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await doPage(learner);
    }
    for (const title of next.slice(pages - 1, pages)) await nextPage(page, title).waitFor();
    expect(await page.evaluate("window.pointerEvents")).toBe(0);
  },
  2_400_000,
);

/** Titles of the pages that follow the first. */
const next = [
  "PodBuggerTool, in the cluster",
  "PodBuggerTool, on controller-runtime",
  "Memcached operator, the scaffold",
];

const nextPage = (page: Page, title: string): Locator =>
  page.getByRole("button", { name: `Next page: ${title}` });

/** What an exercise says when no test fails. */
const allPassed = /^All tests pass/;

interface Learner {
  readonly page: Page;
  readonly keys: Keyboard;
}

/**
 * Does all steps of the page.
 *
 * @param after what to do at the end of a step, by its title
 */
async function doPage(
  learner: Learner,
  after: Readonly<Record<string, () => Promise<void>>> = {},
): Promise<void> {
  const { page, keys } = learner;
  await page.locator(".rail-step").first().waitFor();
  const titles = await rail(page, "title");
  for (const title of titles) {
    await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
    await doStep(learner);
    await after[title]?.();
    const next = page.locator(".step-foot").getByRole("button", { name: /^Next: / });
    if ((await next.count()) > 0) await keys.press(next);
  }
  await expect.poll(() => rail(page, "ariaLabel")).toEqual(titles.map((title) => `${title}, done`));
}

/** Reads a hint, opens the exercise's file, writes a line, saves it and checks it again. */
async function typeInEditor({ page, keys }: Learner): Promise<void> {
  const hint = page.locator("article details", { has: page.locator("summary", { hasText: "Hint" }) }).first();
  await keys.press(hint.locator("summary"));
  await hint.getByText("The key is").waitFor();
  const exercise = page.locator("article .file-block", { has: page.locator(".exercise") }).first();
  await keys.press(exercise.getByRole("button", { name: "Open" }));
  const editor = page.getByRole("textbox", { name: "src/by-hand/watch-pods.ts" });
  await keys.press(editor, "Control+End");
  await keys.type("// By hand, and by keyboard.\n");
  await page.getByText("Not saved. Your text").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).waitFor();
  await keys.press(exercise.getByRole("button", { name: "Check" }));
  await expect.poll(() => exercise.locator(".outcome").textContent(), patience).toMatch(allPassed);
}

/** Goes into a terminal, and out of it. */
async function typeInTerminal({ page, keys }: Learner): Promise<void> {
  await keys.press(page.getByRole("tab", { name: "Editor" }), "ArrowRight");
  const terminal = page.getByRole("textbox", { name: "Terminal main. Press F6 to leave it." });
  await keys.focus(terminal);
  await keys.type("echo $((40 + 2))-by-hand\n");
  await page.locator(".xterm-screen").first().getByText("42-by-hand").first().waitFor();
  await page.keyboard.press("F6");
  expect(await hasFocus(terminal)).toBe(false);
}

/** Selects a Pod in the graph with arrow keys, reads its YAML, and closes it again. */
async function readYaml({ page, keys }: Learner): Promise<void> {
  await keys.focus(page.locator(".node[tabindex='0']"));
  const selected = page.locator(".node-selected");
  const hasTool = async () => {
    await page.keyboard.press("ArrowRight");
    if ((await selected.getByText(/ephemeral/).count()) > 0) return true;
    await page.keyboard.press("ArrowDown");
    return (await selected.getByText(/ephemeral/).count()) > 0;
  };
  await expect.poll(hasTool).toBe(true);
  const panel = page.locator("#tab-panel");
  await keys.focus(panel);
  await panel.getByText("ephemeralContainers:").first().waitFor();
  await keys.press(page.getByRole("region", { name: "Details" }).getByRole("button", { name: "Close" }));
  expect(await page.evaluate("document.activeElement.className")).toContain("node");
}

/** The page has removed its Pods. In the past, the store has its tool. */
async function goBackInTime({ page, keys }: Learner): Promise<void> {
  await expect.poll(() => pods(page).count()).toBe(0);
  const slider = page.getByRole("slider", { name: "Time" });
  await keys.focus(slider);
  const isBack = async () => {
    await page.keyboard.press("ArrowLeft");
    return (
      (await pods(page)
        .filter({ hasText: "store" })
        .getByText(/\d ephemeral/)
        .count()) > 0
    );
  };
  await expect.poll(isBack, patience).toBe(true);
  await page.getByText(/^as of/).waitFor();
  await page.keyboard.press("End");
}

const pods = (page: Page): Locator => page.locator("button.node", { hasText: "Pod" });

/** Opens the page of the course as `pnpm learn ui` does, with an empty home. */
async function openWorkbench(name: string): Promise<Page> {
  const pnpm = findPnpm(process.env)?.at(-1);
  const home = await openHome({ ...(pnpm !== undefined && { npm_execpath: pnpm }) });
  onTestFinished(() => home.remove());
  const terminal = home.learn("ui", "--no-open", name);
  onTestFinished(async () => {
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(0);
    await expect.poll(() => home.processes()).toEqual([]);
  });
  await terminal.shows(/in your browser: \S+token=\S+\r/);
  const [, url = ""] = /in your browser: (\S+)/.exec(terminal.screen()) ?? [];
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  onTestFinished(() => {
    // The server says in its terminal what the browser does not see.
    const said = complaints.length > 0 ? terminal.screen().slice(-2000) : "";
    expect({ complaints, said }).toEqual({ complaints: [], said: "" });
  });
  await page.addInitScript(`
    window.pointerEvents = 0;
    for (const type of ["pointerdown", "mousedown", "touchstart"])
      addEventListener(type, () => window.pointerEvents++, true);
  `);
  await page.goto(url);
  return page;
}

/** Answers the questions of the step, and does one action after another. */
async function doStep({ page, keys }: Learner): Promise<void> {
  for (let at = 0; ; at++) {
    const answer = page.getByRole("textbox", { name: /What do you expect/ });
    const given = page.locator("article .answered");
    // The next question is shown after the answer to this one.
    for (let n = await given.count(); (await answer.count()) > 0; n++) {
      await keys.focus(answer.first());
      await keys.type("it works");
      await keys.press(page.getByRole("button", { name: "Answer" }).first());
      await expect.poll(() => given.count()).toBe(n + 1);
    }
    if (at >= (await page.locator(actions).count())) return;
    await doAction(keys, page.locator(actions).nth(at));
  }
}

async function doAction(keys: Keyboard, action: Locator): Promise<void> {
  const block = action.locator("xpath=ancestor-or-self::*[@data-block]");
  if ((await action.getAttribute("class"))?.includes("exercise")) {
    await doExercise(keys, action);
  } else if (/^(Write|Apply) it/.test(await labelOf(action))) {
    await keys.press(action);
    await block.getByText(/^Wrote/).waitFor(patience);
  } else if (!(await labelOf(action)).endsWith(", done")) {
    await keys.press(action);
    await expect.poll(() => labelOf(action), patience).toMatch(/, (done|differs from the page)$/);
    const row = action.locator("xpath=ancestor::*[contains(@class, 'entry ')]");
    expect(await row.locator(".difference").allInnerTexts()).toEqual([]);
  }
}

/** A wrong try first: the starter as it is. */
async function doExercise(keys: Keyboard, exercise: Locator): Promise<void> {
  await tryExercise(keys, exercise, "Begin", /It must pass/);
  await tryExercise(keys, exercise, "Check", /✗/);
  await solveExercise(keys, exercise);
  await tryExercise(keys, exercise, "Check", allPassed);
}

/** Takes the solution, after the window has asked. */
async function takeSolution(keys: Keyboard, exercise: Locator, button: string): Promise<void> {
  await keys.press(exercise.getByRole("button", { name: button, exact: true }));
  await tryExercise(keys, exercise, "Take the solution", /The solution is in/);
}

async function tryExercise(
  keys: Keyboard,
  exercise: Locator,
  button: string,
  outcome: RegExp,
): Promise<void> {
  await keys.press(exercise.getByRole("button", { name: button, exact: true }));
  await expect.poll(() => exercise.locator(".outcome").textContent(), patience).toMatch(outcome);
  await exercise.locator(".buttons button[aria-disabled=true]").first().waitFor({ state: "detached" });
}

/** A solution that the page shows in a fold is written there. */
async function solveExercise(keys: Keyboard, exercise: Locator): Promise<void> {
  if ((await exercise.getByRole("button", { name: "Solution" }).count()) > 0)
    return takeSolution(keys, exercise, "Solution");
  const block = exercise.locator("xpath=ancestor::*[@data-block]");
  const fold = block.locator("xpath=following-sibling::details[summary='Solution'][1]");
  await keys.press(fold.locator("> summary"));
  await takeSolution(keys, fold.locator(".solution"), "Write it into my folder");
  // The buttons in it are no actions of the step.
  await keys.press(fold.locator("> summary"));
}

/** The window says what follows. Closing the report leads back to where it came from. */
async function killOperator({ page, keys }: Learner): Promise<void> {
  const menu = page.getByRole("button", { name: "Break something" });
  await keys.press(menu);
  await keys.press(page.getByRole("button", { name: "Kill the operator" }));
  await page.getByText("Nothing reconciles now.").waitFor();
  await keys.press(page.getByRole("button", { name: "Close", exact: true }));
  await expect.poll(() => hasFocus(menu)).toBe(true);
}

const rail = (page: Page, property: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(".rail-step")].map((step) => step.${property})`);

const labelOf = async (element: Locator): Promise<string> => (await element.getAttribute("aria-label")) ?? "";
