import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { drawn, launchChromium } from "@operator-path/ui/testing";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { openMemory } from "../memory.ts";
import { startWorkbench } from "../start-workbench.ts";
import { type TestLearner, testLearner } from "./learner.ts";
import { type TestCourse, testCourse } from "./test-course.ts";

const fence = "```";
/** What the exercise of the step "Practise" begins with. */
export const starter = "export const c = 0;\n";
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
  a[one, and more] -->|a long road to| b[two, and more]
${fence}

## Differ

What comes now? <!-- question -->

${fence}console
$ printf 'a\\nc\\n'; : not read-only
a
b
${fence}

Two lines.

## Write

\`src/a.ts\`
${fence}ts file
const a = 1;
${fence}

## Write more

\`src/b.ts\`
${fence}ts file
const b = 2;
${Array.from({ length: 40 }, (_, i) => `export const wide${i} = "${"wide ".repeat(40)}";`).join("\n")}
${fence}

## Practise

The test [\`counts\`](p/src/c.test.ts) fails.

\`src/c.ts\`
${fence}ts exercise
${starter}${fence}

<details><summary>Solution</summary>

\`src/c.ts\`
${fence}ts file
export const c = 3;
${fence}

</details>
`;

/** A page of the workbench in Chromium. */
export interface Opened {
  readonly page: Page;
  readonly learner: TestLearner;
  readonly course: TestCourse;
  /** Replaces the server, and returns the URL of the new one. */
  restart(): Promise<string>;
}

/**
 * Starts Chromium and a cluster for the tests of the file. Returns what opens the workbench for one test. After all
 * tests, expects that the browser complained about nothing, such as a violation of the security policy.
 */
export function openInChromium(): (options?: Parameters<Browser["newPage"]>[0]) => Promise<Opened> {
  let cluster: EmbeddedCluster;
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    cluster = await startEmbeddedCluster();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    expect(complaints).toEqual([]);
  });
  return async (options = {}) => {
    const learner = testLearner();
    const course = testCourse(body, learner, cluster);
    const start = () =>
      startWorkbench({
        course,
        memory: openMemory(join(learner.folder, "workbench.json")),
        ...{ page: "t/1", cache: join(import.meta.dirname, "../../node_modules/.cache") },
        ...{ shortPath: () => "p", signal: AbortSignal.timeout(600_000) },
      });
    let running = await start();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
    onTestFinished(async () => {
      await page.close();
      await running[Symbol.asyncDispose]();
    });
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(running.url);
    await page.getByRole("heading", { name: "Try" }).waitFor();
    // Text has other sizes until its fonts are there.
    await page.evaluate("document.fonts.ready.then(() => 0)");
    return {
      ...{ page, learner, course },
      async restart() {
        // The page of the old server would complain that it is away.
        await page.goto("about:blank");
        await running[Symbol.asyncDispose]();
        running = await start();
        return running.url;
      },
    };
  };
}

/** Returns what axe finds to be serious, with the elements. */
export async function seriousViolations(page: Page): Promise<string[][]> {
  // Half-transparent text has too little contrast.
  await page.evaluate(`for (const one of document.getAnimations())
    if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish()`);
  await drawn(page);
  // Evaluated by the browser's debugger, which the policy of the page does not restrict.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)]);
}
