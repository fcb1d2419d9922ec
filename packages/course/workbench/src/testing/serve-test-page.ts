import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { createUiServer, type UiServer, type WebBundle } from "@operator-path/ui";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openMemory } from "../memory.ts";
import type { CommandsPart, FilePart, Part } from "../page/page-view.ts";
import type { WorkbenchView } from "../protocol.ts";
import { serveWorkbench } from "../routes.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { type BrowserSession, openBrowserSession } from "./browser-session.ts";
import { type TestLearner, testLearner } from "./learner.ts";
import { type TestCourse, testCourse } from "./test-course.ts";

const fence = "```";
const body = `## Run

${fence}console
$ echo one
one
${fence}

${fence}console terminal=operator running
$ (echo started; sleep 1000)
started
${fence}

## Write

\`src/a.ts\`
${fence}ts file
const a = 1;
${fence}

\`src/a.ts\`
${fence}diff
-const a = 1;
+const a = 2;
${fence}

\`src/c.ts\`
${fence}diff
 one();
-two();
+three();
${fence}

## Think

What will it print?

## Try

The test [\`adds\`](p/src/b.test.ts) fails.

\`src/b.ts\`
${fence}ts exercise
export const b = 0;
${fence}
`;

/** A page of the workbench behind its server, and a browser's session. */
export interface ServedPage {
  readonly learner: TestLearner;
  readonly course: TestCourse;
  readonly server: UiServer;
  readonly session: BrowserSession;
  readonly workbench: Workbench;
  view(): Promise<WorkbenchView>;
}

const bundle: WebBundle = {
  files: new Map([["/assets/main.js", { type: "text/javascript", body: Buffer.from("") }]]),
  ...{ script: "/assets/main.js", styles: [], preload: [] },
};

/** Starts a cluster for the tests of the file. Returns what serves a page, for one test. */
export function serveTestPage(): (learner?: TestLearner) => Promise<ServedPage> {
  let cluster: EmbeddedCluster;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster();
  });
  afterAll(() => cluster.stop());
  return (learner = testLearner()) => open(cluster, learner);
}

async function open(cluster: EmbeddedCluster, learner: TestLearner): Promise<ServedPage> {
  const course = testCourse(body, learner, cluster);
  const workbench = await openWorkbench("t/1", {
    ...{ course, memory: openMemory(join(learner.folder, "workbench.json")) },
    ...{ shortPath: () => "p", signal: AbortSignal.timeout(600_000) },
  });
  const server = await createUiServer({ bundle, title: "t", log: () => {} });
  onTestFinished(async () => {
    await server.close();
    await workbench[Symbol.asyncDispose]();
  });
  serveWorkbench(server, { current: () => workbench, open: async () => workbench });
  const session = await openBrowserSession(server);
  const view = async () => (await session.get("/api/workbench")).body as WorkbenchView;
  return { learner, course, server, session, workbench, view };
}

/** Returns the block of a step by its index, from 0. */
export function block(view: WorkbenchView, step: string, index: number): CommandsPart | FilePart {
  const parts = view.page.steps.find(({ slug }) => slug === step)?.parts ?? [];
  const found = parts.filter(isBlock)[index];
  if (!found) throw new Error(`${step} has no block ${index}`);
  return found;
}

function isBlock(part: Part): part is CommandsPart | FilePart {
  return "id" in part;
}

/** Returns how a browser names a block. */
export function name(part: CommandsPart | FilePart): { id: string; hash: string } {
  return { id: part.id, hash: part.hash };
}
