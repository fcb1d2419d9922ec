import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openMemory } from "./memory.ts";
import { startWorkbench } from "./start-workbench.ts";
import { type TestLearner, testLearner } from "./testing/learner.ts";
import { testCourse } from "./testing/test-course.ts";

const executablePath = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== "" && existsSync(path),
);
if (!executablePath) console.warn("skipped: install Chromium, or set CHROMIUM to its path");

const fence = "```";
const body = `Before.

## Run

${fence}console
$ echo one
one
$ echo two; : not read-only
two
$ echo ${"a long line ".repeat(20)}
${"a long line ".repeat(20).trim()}
${fence}

${fence}mermaid
flowchart LR
  a[one] --> b[two]
${fence}

## Differ

What comes now?

${fence}console
$ printf 'a\\nc\\n'; : not read-only
a
b
${fence}

## Write

\`src/a.ts\`
${fence}ts file
const a = 1;
${fence}
`;

let cluster: EmbeddedCluster;
let browser: Browser;
/** Whatever the browser complains about, such as a violation of the security policy. */
const complaints: string[] = [];

interface Opened {
  readonly page: Page;
  readonly learner: TestLearner;
}

async function open(options: Parameters<Browser["newPage"]>[0] = {}): Promise<Opened> {
  const learner = testLearner();
  const running = await startWorkbench({
    course: testCourse(body, learner, cluster.kubeConfig),
    memory: openMemory(join(learner.folder, "workbench.json")),
    ...{ page: "t/1", cache: join(import.meta.dirname, "../node_modules/.cache") },
    ...{ shortPath: () => "p", signal: AbortSignal.timeout(600_000) },
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  onTestFinished(async () => {
    await page.close();
    await running[Symbol.asyncDispose]();
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(running.url);
  await page.getByRole("heading", { name: "Try" }).waitFor();
  return { page, learner };
}

const screen = (page: Page) => page.locator(".xterm-screen").first();

describe.skipIf(!executablePath)("the workbench in Chromium", () => {
  beforeAll(async () => {
    cluster = await startEmbeddedCluster();
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      // Chromium refuses its own sandbox to root, as in containers.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    expect(complaints).toEqual([]);
  });

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
    await expect.poll(() => screen(page).textContent()).toMatch(/echo one.*echo two/s);
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
    await run.click();
    await page.locator(".difference").waitFor();
    expect(await page.locator(".diff .removed").textContent()).toBe("− b\n");
    expect(await page.locator(".diff .added").textContent()).toBe("+ c\n");
  });

  test("goes on after a reload, with the terminal's output", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Next: Run" }).click();
    await page.getByRole("button", { name: /echo one/ }).click();
    await page.getByRole("button", { name: /echo one, done/ }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /echo one, done/ }).waitFor();
    await expect.poll(() => screen(page).textContent()).toContain("echo one");
    await page.locator(".xterm-helper-textarea").first().focus();
    await page.keyboard.type("echo my$((1+1))own\n");
    await expect.poll(() => screen(page).textContent()).toContain("my2own");
  });

  test("writes a file, edits it, and follows it on disk", async () => {
    const { page, learner } = await open();
    const file = join(learner.project, "src/a.ts");
    await page.getByRole("button", { name: "Write, to do" }).click();
    await page.getByRole("button", { name: "Write it: src/a.ts" }).click();
    const editor = page.locator(".cm-content");
    await expect.poll(() => editor.textContent()).toContain("const a = 1;");
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("const b = 2;");
    await page.keyboard.press("Control+s");
    await expect.poll(() => readFileSync(file, "utf8")).toBe("const a = 1;\nconst b = 2;");
    writeFileSync(file, "const c = 3;\n");
    await expect.poll(() => editor.textContent()).toBe("const c = 3;");
    await page.getByRole("button", { name: "Show mine beside it" }).click();
    await expect
      .poll(() => page.locator(".cm-mergeView").textContent())
      .toMatch(/const c = 3;.*const a = 1;/s);
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
        // Evaluated by the browser's debugger, which the policy of the page does not restrict.
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
        }>("axe.run()");
        const serious = violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => [
            id,
            ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
          ]);
        expect(serious).toEqual([]);
      }
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      const article = "document.querySelector('.page-scroll')";
      expect(
        await page.evaluate(`${article}.getBoundingClientRect().right - innerWidth`),
      ).toBeLessThanOrEqual(0);
    });
  });
});
