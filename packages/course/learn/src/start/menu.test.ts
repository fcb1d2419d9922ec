import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stepStates } from "../finished-steps.ts";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { repositoryRoot } from "../repository.ts";
import { type Home, openHome } from "../testing/home.ts";
import { hasPnpm, skippedWithoutPnpm } from "../testing/pnpm.ts";
import type { Terminal } from "../testing/terminal.ts";
import { until } from "../testing/until.ts";

const name = "01-podbuggertool/1";
let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.remove());

/** Returns the steps of a page, and writes the files that its first steps write. */
async function steps(page = name) {
  const file = (await listPages(repositoryRoot)).find((one) => one.name === page);
  if (!file) throw new Error(`there is no page ${page}`);
  const states = stepStates(readPage(file), page, { version: 1, tour: true, pages: {} });
  for (const block of states.flatMap(({ step }) => step.blocks)) {
    if (block.kind !== "write") continue;
    const path = join(home.work, dirname(name), block.file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  return states.map(({ step }) => step);
}

/** Makes the page a finished one, and others too. */
async function finishPage(...others: readonly string[]): Promise<void> {
  const pages: Record<string, unknown> = {};
  for (const page of [name, ...others]) pages[page] = { done: (await steps(page)).map(({ slug }) => slug) };
  await writeProgress({ version: 1, tour: true, last: name, pages });
}

async function writeProgress(content: unknown): Promise<void> {
  await mkdir(home.work, { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await writeFile(join(home.work, "progress.json"), text);
}

it("offers the next step of an earlier day, and counts a step whose file is missing as unfinished", async () => {
  const all = await steps();
  const done = all.slice(0, 6).map(({ slug }) => slug);
  await writeProgress({ version: 1, tour: true, last: name, pages: { [name]: { done } } });
  const place = (index: number) =>
    `Continue: ${name}, step ${index + 1} of ${all.length}: ${all[index]?.title}`;
  using terminal = home.start();
  // Progress without the browser: the learner has worked in a terminal.
  await terminal.shows(`● ${place(6)}`);
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);

  const writer = all.findIndex(({ blocks }) => blocks.some(({ kind }) => kind === "write"));
  const [file = ""] =
    all[writer]?.blocks.flatMap((block) => (block.kind === "write" ? block.file : [])) ?? [];
  await rm(join(home.work, dirname(name), file));
  using again = home.start();
  await again.shows(place(writer));
});

it("counts the finished steps of the capstone for an operator of the learner's own", async () => {
  const page = "05-capstone/1";
  const all = await steps(page);
  const own = join(home.work, "05-capstone/mine");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "capstone.yaml"), "");
  const done = all.slice(0, 4).map(({ slug }) => slug);
  await writeProgress({ version: 1, tour: true, last: page, pages: { [page]: { done } } });
  using terminal = home.start();
  await terminal.shows(`Continue: ${page}, step 5 of ${all.length}: `);
});

it("opens the named tutorial's first page without the tour, and says so if progress.json cannot be read", async () => {
  await writeProgress('{"version": 1, "tour');
  using terminal = home.start("02-memcached-operator");
  await terminal.shows(/progress\.json cannot be read, so\s.*your finished steps are\s.*forgotten/s);
  await terminal.shows(/Follow \S*tutorials\/02-memcached-operator\/1-.*\(operator-path 02\) /s);
  expect(terminal.screen()).not.toContain("What next?");
  expect(await readdir(home.work)).toContain("progress.json.unreadable");
  terminal.type("exit\r");
  await terminal.shows("Where will you continue next time? (02-memcached-operator/1)");
  terminal.type("\x03");
  await terminal.shows("What next?");
  expect(terminal.screen()).not.toContain("Continue");
  // The shell is preselected, and the second entry below it reads a page.
  terminal.type("\x1b[B\x1b[B\r");
  await terminal.shows("02-memcached-operator/2");
  expect(terminal.screen()).not.toMatch(/payment|01-podbuggertool/);
  // Back to the menu, and quit.
  terminal.type("\x03");
  await terminal.shows(/Which page\?.*What next\?/s);
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);
  // The shell writes its history.
  expect(await home.leftovers()).toEqual([".bash_history"]);
});

it("opens the first page that is not finished of a named tutorial, and then the step that comes next", async () => {
  await finishPage();
  using terminal = home.start("podbuggertool");
  await terminal.shows(/Follow \S*tutorials\/01-podbuggertool\/2-.*\(operator-path 01\) /s);
  expect(terminal.screen()).not.toContain("You have already started in");
});

it.each([
  [[], "01-podbuggertool/2  PodBuggerTool, in the cluster"],
  [["01-podbuggertool/2"], "01-podbuggertool/3  PodBuggerTool, on controller-runtime"],
])(
  "continues with the next unfinished page, although only one was named (also finished: %j)",
  async (others, next) => {
    await finishPage(...others);
    using terminal = home.start(name);
    await terminal.shows(/You have finished \S*tutorials\/01-podbuggertool\/1-.*\(operator-path 01\) /s);
    terminal.type("exit\r");
    await terminal.shows("Where will you continue next time?");
    terminal.type("\r");
    await terminal.shows(`Continue: ${next}`);
  },
);

async function beginByHand(terminal: Terminal): Promise<void> {
  await terminal.shows("(operator-path 01) ");
  const commands = [
    'kubectl apply -f "$TUTORIAL/podbuggertool/crd.yaml"',
    "kubectl wait --for=condition=Established crd --all",
    'kubectl apply -f "$TUTORIAL/podbuggertool/podbtool-payment.yaml"',
    "kubectl create deployment web --image=nginx",
    "echo mine > notes",
  ];
  terminal.type(`${commands.join(" && ")}; exit\r`);
  await terminal.shows("Where will you continue next time?");
  // The second step.
  terminal.type("\x1b[B\r");
  await terminal.shows(`Continue: ${name}, step 2 of `);
  expect(JSON.parse(await readFile(join(home.work, "progress.json"), "utf8"))).toMatchObject({
    ...{ version: 1, last: name, pages: { [name]: { done: [expect.any(String)] } } },
  });
}

it("asks about the page that the shell ended with, and begins each shell without kubectl's cache", async () => {
  using terminal = home.start("01-podbuggertool");
  await terminal.shows("(operator-path 01) ");
  // As `check` does on page 2.
  const second = "01-podbuggertool/2";
  const progress = { version: 1, tour: true, last: second, pages: { [second]: { done: ["an-image"] } } };
  const record = `echo '${JSON.stringify(progress)}' > "$OPERATOR_PATH_WORK/progress.json"`;
  terminal.type(`kubectl api-resources > all && touch "$KUBECACHEDIR/stale" && ${record}; exit\r`);
  await terminal.shows(`Where will you continue next time? (${second})`);
  terminal.type("\r");
  await terminal.shows(/Where will you continue.*What next\?/s);
  // The files of page 2 are missing, so no step is finished, and the menu does not offer to continue.
  terminal.type("\x1b[B\r");
  await terminal.shows(/Where will you continue.*Which page\?/s);
  // Page 2 is preselected, since the learner has worked on it. For page 1, another cluster would start.
  terminal.type("\r");
  await terminal.shows("You have already started in");
  terminal.type("\r");
  await terminal.shows(/You have already started in.*\(operator-path 01\) /s);
  terminal.type('ls all "$KUBECACHEDIR"\r');
  await terminal.shows(/all\r.*cannot access|cannot access.*all\r/s);
});

it("remembers what a learner did by hand, with the objects in the cluster, and really starts over", async () => {
  using earlier = home.start(name);
  await beginByHand(earlier);
  // As the window's close button does.
  earlier.close();
  await until(async () => (await home.processes()).length === 0);

  using terminal = home.start(name);
  await terminal.shows("the cluster has again:");
  await terminal.shows("step 2: ");
  await terminal.shows("(operator-path 01) ");
  terminal.type("ls notes; kubectl get pbt; kubectl rollout status deployment/web\r");
  await terminal.shows(/notes\r.*podbtool-payment.*deployment "web" successfully rolled out/s);
  terminal.type("exit\r");
  await terminal.shows("Where will you continue next time?");
  terminal.type("\r");
  await terminal.shows(/Where will you continue next time\?.*What next\?/s);
  // The second entry is preselected. Up from the first one is Quit, and above it "Start a page over".
  terminal.type("\x1b[A\x1b[A\x1b[A\r");
  await terminal.shows("over? Your folder is moved aside");
  terminal.type("\r");
  await terminal.shows(/What you had is in \S+podbuggertool-\d{4}/);
  await terminal.shows(/What you had is in .*What next\?.*● Build it yourself/s);
  terminal.type("\r");
  await terminal.shows(/What you had is in .*brings you back here.*\(operator-path /s);
  terminal.type("ls notes; kubectl get deployment,crd\r");
  await terminal.shows(/cannot access 'notes'.*No resources found/s);
});

it("keeps the saved objects when the learner stops it while it makes them again", async () => {
  const item = (i: number) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `mine-${i}`, namespace: "default" },
    data: { a: "1" },
  });
  const items = Array.from({ length: 3 }, (_, i) => item(i));
  const folder = join(home.work, dirname(name));
  await mkdir(folder, { recursive: true });
  const file = join(folder, "cluster.json");
  await writeFile(file, JSON.stringify({ items, images: [], page: name }));
  using terminal = home.start(name);
  await terminal.shows("A cluster is up");
  // kubectl reads the objects from this file while it makes them.
  await until(() => existsSync(`${file}.group`) || terminal.screen().includes("From your last session"));
  terminal.type("\x03");
  await terminal.ended();
  expect(terminal.screen()).not.toContain("brings you back here");
  const { items: kept } = JSON.parse(await readFile(file, "utf8"));
  const names = kept.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(["mine-0", "mine-1", "mine-2"]));
});

it("offers first to start over in a folder with the page's result, if no step of the page is finished", async () => {
  const all = await steps();
  const write = (done: (string | undefined)[]) =>
    writeProgress({ version: 1, tour: true, last: name, pages: { [name]: { done } } });
  await write([]);
  using terminal = home.start(name);
  await terminal.shows(/has the result of this page.*● Start over.*○ Continue there/s);
  terminal.type("\x03");
  await terminal.shows(/Start over.*What next\?/s);
  // As another terminal does. `catch-up` leaves a step unfinished whose commands it does not run.
  await write([all[1]?.slug]);
  terminal.type("\r");
  await terminal.shows(/You have already started in .*● Continue there.*○ Start over/s);
  terminal.type("\x03");
  await terminal.shows(/You have already started in .*Continue: /s);
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);
});

it.skipIf(!hasPnpm)(
  `offers the browser first, and returns to the menu from there and from a page that the learner stops watching${skippedWithoutPnpm}`,
  async () => {
    using terminal = await home.menu();
    await terminal.shows("What next?");
    terminal.type("\r");
    await terminal.shows(/Open this page in your browser: http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}/);
    await terminal.shows("Press Enter to return to the menu.");
    terminal.type("\r");
    await terminal.shows(/return to the menu\..*What next\?.*● Learn in your browser/s);
    terminal.type("\x1b[B\x1b[B\r");
    await terminal.shows("Which page?");
    terminal.type("\r");
    await terminal.shows("Run this step?");
    terminal.type("q");
    await terminal.shows(/Stopped, and cleaned up\..*What next\?.*● Watch it being built/s);
    expect(terminal.screen()).not.toContain("✗");
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(0);
    expect(await home.leftovers()).toEqual([]);
  },
);

it("chooses nothing when a person types or pastes a command, and says how to choose and how to leave", async () => {
  using terminal = await home.menu();
  await terminal.shows("What next?");
  // A whole paste, and then keys one by one. `l` and `j` are arrow keys to some prompts.
  terminal.type("npx --yes pnpm@12 start\r\r");
  await terminal.shows(/"npx --yes pnpm@12 start" is not a choice/);
  for (const key of "jl\r") terminal.type(key);
  await terminal.shows(/"jl" is not a choice\. Choose with ↑ and ↓, or leave with Ctrl\+C\./);
  terminal.type("\x1b[B");
  await terminal.shows("● Build it yourself");
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).not.toContain("brings you back here");
  expect(terminal.screen()).not.toContain("127.0.0.1");
  expect(terminal.screen()).toContain("`npx --yes pnpm@12 start` continues where you left off.");
});

it("leaves a question at q and Enter", async () => {
  using terminal = await home.menu();
  await terminal.shows("What next?");
  terminal.type("q");
  await terminal.shows("Enter leaves this question.");
  terminal.type("\r");
  expect(await terminal.ended()).toBe(0);
});

it("leaves a question at Ctrl+D", async () => {
  using terminal = await home.menu();
  await terminal.shows("What next?");
  terminal.type("\x04");
  expect(await terminal.ended()).toBe(0);
});
