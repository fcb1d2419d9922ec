import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPnpm } from "@operator-path/walkthrough";
import { expect, onTestFinished, test } from "vitest";
import type { CommandsPart, Part } from "./page/page-view.ts";
import type { WorkbenchView } from "./protocol.ts";
import { type BrowserSession, openBrowserSession } from "./testing/browser-session.ts";

/** `pnpm learn`, in its own process. */
const learn = fileURLToPath(new URL("../../learn/src/main.ts", import.meta.url));
const step = "a-shell-for-a-pod-without-one";

interface Running {
  readonly child: ChildProcess;
  readonly session: BrowserSession;
  view(): Promise<WorkbenchView>;
}

/** Starts `pnpm learn ui`, and opens the URL that it prints. */
async function start(home: string): Promise<Running> {
  const {
    PATH,
    XDG_CACHE_HOME = join(tmpdir(), "operator-path-test-cache"),
    NODE_EXTRA_CA_CERTS,
  } = process.env;
  const pnpm = findPnpm(process.env)?.at(-1);
  const args = ["--conditions=@operator-path/source", learn, "ui", "01-podbuggertool/1", "--no-open"];
  const child = spawn(process.execPath, args, {
    env: {
      ...{ PATH, XDG_CACHE_HOME, NODE_EXTRA_CA_CERTS, HOME: home, TMPDIR: home, CI: "true", NO_COLOR: "1" },
      ...{ OPERATOR_PATH_WORK: join(home, "work"), npm_execpath: pnpm },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
  await expect.poll(() => printed).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?token=/);
  const url = /http:\S+/.exec(printed)?.[0] ?? "";
  const session = await openBrowserSession({ origin: new URL(url).origin, createUrl: () => url });
  return { child, session, view: async () => (await session.get("/api/workbench")).body as WorkbenchView };
}

function commands(view: WorkbenchView): CommandsPart[] {
  const parts: readonly Part[] = view.page.steps.find(({ slug }) => slug === step)?.parts ?? [];
  return parts.filter((part) => part.kind === "commands");
}

async function run({ session, view }: Running, index: number, entry: number): Promise<unknown> {
  const { id, hash } = commands(await view())[index] as CommandsPart;
  return (await session.post("/api/run", { id, hash, entry })).body;
}

test("goes on in the middle of a step after kill -9, with the answers, the finished actions and the objects", async () => {
  const home = await mkdtemp(join(tmpdir(), "killed-"));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  const first = await start(home);
  for (const entry of [0, 1, 2]) expect(await run(first, 0, entry)).toEqual({ status: "done" });
  const answer = { question: `${step}?1`, text: "No shell at all." };
  await first.session.post("/api/answer", answer);
  expect(await run(first, 1, 0)).toEqual({ status: "done" });
  const before = await first.view();
  expect(before).toMatchObject({ place: step, steps: { [step]: "to do" } });
  // Saving runs beside the page.
  await expect.poll(() => savedKinds(home)).toContain("Deployment");
  await expect.poll(() => savedActions(home)).toEqual(expect.arrayContaining(Object.keys(before.actions)));

  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await start(home);

  const after = await second.view();
  expect({ place: after.place, actions: after.actions, steps: after.steps, answers: after.answers }).toEqual({
    ...{ place: step, actions: before.actions, steps: before.steps },
    answers: { [answer.question]: answer.text },
  });
  // The Deployment of the killed cluster runs again, and the page goes on with its next command.
  expect(await run(second, 0, 2)).toEqual({ status: "done" });
  expect(await run(second, 1, 0)).toEqual({ status: "done" });
  expect(await run(second, 1, 1)).toEqual({ status: "done" });
  expect(await run(second, 2, 0)).toEqual({ status: "done" });
  expect((await second.view()).actions).toMatchObject({ [`${step}/3#0`]: { status: "done" } });
});

async function savedKinds(home: string): Promise<string[]> {
  const text = await readFile(join(home, "work/01-podbuggertool/cluster.json"), "utf8").catch(() => "{}");
  const { items = [] } = JSON.parse(text) as { items?: { kind: string }[] };
  return items.map(({ kind }) => kind);
}

async function savedActions(home: string): Promise<string[]> {
  const text = await readFile(join(home, "work/workbench.json"), "utf8").catch(() => "{}");
  const { pages = {} } = JSON.parse(text) as { pages?: Record<string, { done?: object }> };
  return Object.keys(pages["01-podbuggertool/1"]?.done ?? {});
}
