/**
 * The commands of a learner (`pnpm start`, `pnpm read page`, `pnpm exercise`, `pnpm learn check`, `pnpm copy`) and of
 * an author (`pnpm verify`, `pnpm mutants`, `pnpm learn new-page`, `pnpm learn edit-page`, `pnpm learn update-pages`).
 */
import { UserError } from "@operator-path/cluster/user-error";
import { ToolNotFoundError, UserDirectoryError } from "@operator-path/tools";
import { Argument, Command, Option } from "commander";
import { outliveTerminal } from "./closed-terminal.ts";
import type { IdentityFlags } from "./copy/identity.ts";
import type { ExerciseAction } from "./exercise/exercise.ts";
import type { MutantsOptions } from "./mutants/mutants.ts";
import { choosePages } from "./pages.ts";
import { pnpmCommand } from "./pnpm-command.ts";
import { repositoryRoot } from "./repository.ts";
import { courseCommands } from "./start/terminal-environment.ts";
import type { VerifyOptions } from "./verify.ts";
import { terminalVocabulary } from "./vocabulary.ts";
import { wrapLines } from "./wrap-lines.ts";

const exerciseActions = ["begin", "check", "hint", "solution"] as const satisfies readonly ExerciseAction[];

/** Commands that have a script of their own in the repository's package.json. */
const scripts: readonly string[] = ["start", "read", "exercise", "verify", "mutants", "copy"];

const pnpm = await pnpmCommand(process.env);
const learn = process.env.LEARN_COMMAND ?? `${pnpm} learn`;
const exercise = process.env.EXERCISE_COMMAND ?? `${pnpm} exercise`;
const words = terminalVocabulary({ learn, exercise, pnpm });

const program = new Command(learn)
  .configureHelp({
    commandUsage: (command) => `${typedName(command)} ${command.usage()}`,
    // The names leave 39 columns of 80. Below its own minimum of 40, commander would wrap nothing.
    minWidthToWrap: 30,
  })
  .description("The learning path, and the proof that its pages are true.")
  .configureOutput({
    outputError: (text, write) => write(`${text.trim().replace("\n", " ").replace(/\.$/, "")}${usage()}\n`),
  });

program
  .command("start")
  .description(
    "start the path, or open a page in the shell; without a terminal, run every page without stopping",
  )
  .argument("[page...]", "the page to open, or the tutorial to continue: 03-nginx-operator, nginx, 3, 3/2")
  .action(start);
program
  .command("verify")
  .description("run pages, and compare everything they show with the actual result")
  .argument("[page...]", "tutorials, pages or paths: 01-podbuggertool, 01-podbuggertool/1 (default: all)")
  .option("--json <file>", "write the reports as JSON")
  .option("--junit <file>", "write the reports as JUnit XML")
  .option(
    "--jobs <number>",
    "pages to run at the same time (default: three per core; with envtest one per core; on a shared cluster one)",
    wholeNumber("pages"),
  )
  .option("--keep", "keep the folders of runs that failed")
  .option("--accept", "write output that differs into the pages that you name; review the diff afterwards")
  .option(
    "--text",
    "compare the texts of the pages with their claims, and run nothing; with --accept, accept changed texts first",
  )
  .addOption(
    new Option(
      "--provider <provider>",
      "where the pages run: envtest is a real kube-apiserver with simulated nodes, kind is real Kubernetes in containers, existing is a cluster of yours",
    )
      .choices(["embedded", "envtest", "kind", "existing"])
      .default("embedded"),
  )
  .option(
    "--reuse <name>",
    "kind: use this running cluster, and keep it (default: create a cluster, and delete it afterwards)",
  )
  .option("--context <name>", "existing: the context of your kubeconfig; pages get a namespace of their own")
  .option("--yes", "existing, and --reuse: allow the pages to create and remove objects, without a question")
  .option("--allow-exec-plugin", "existing: allow a context that authenticates by running a program")
  .option("--allow-insecure-tls", "existing: allow a context that does not verify the server")
  .action(async (pages: string[], options: VerifyOptions) => {
    if (options.accept && pages.length === 0)
      throw new UserError("--accept needs the pages that it may change");
    if (options.provider === "kind") {
      // A missing engine is the most common problem, so it is reported before large modules load.
      const { findEngine } = await import("@operator-path/kind");
      await findEngine();
    }
    const { verify } = await import("./verify.ts");
    process.exitCode = await verify(await choosePages(pages, repositoryRoot, process.cwd()), options);
  });
program
  .command("mutants")
  .description("break pages and their projects in one place at a time: the checks must detect each mistake")
  .argument("[page...]", "as for verify")
  .option(
    "--jobs <number>",
    "mutants to run at the same time (default: the number of cores)",
    wholeNumber("runs"),
  )
  .addOption(
    new Option("--class <class...>", "what to break (default: all)").choices([
      "step",
      "text",
      "code",
      "manifest",
    ]),
  )
  .option(
    "--count <number>",
    "at most this many per page and class, chosen by the seed",
    wholeNumber("mutants"),
  )
  .option("--seed <number>", "chooses other mutants (default: 1)", wholeNumber("a seed"))
  .option("--only <text>", "mutants whose operator or name contains this")
  .option(
    "--report <file>",
    "write the result into this Markdown file, and keep its rows of other pages and classes",
  )
  .action(async (pages: string[], options: MutantsOptions) => {
    const [{ runMutants }, { whatIsMissingFor }] = await Promise.all([
      import("./mutants/mutants.ts"),
      import("./missing-programs.ts"),
    ]);
    const chosen = await choosePages(pages, repositoryRoot, process.cwd());
    // A skipped page detects no mutant.
    const missing = await whatIsMissingFor(chosen);
    if (missing !== undefined) throw new UserError(missing);
    process.exitCode = await runMutants(chosen, options);
  });
program
  .command("ui")
  .description("open a page in your browser, with terminals, an editor and a live view of the cluster")
  .argument("[page]", "as for read (default: where you left off)")
  .option(
    "--port <number>",
    "port of the server on 127.0.0.1 (default: a free one)",
    wholeNumber("a port", 65_535),
  )
  .option("--no-open", "print the URL without opening a browser")
  .action(async (name: string | undefined, { port, open }: { port?: number; open: boolean }) => {
    const [{ runUi }, { createSessions }, { interruptible }] = await Promise.all([
      import("./ui/run-ui.ts"),
      import("./start/sessions.ts"),
      import("./interruptible.ts"),
    ]);
    const cwd = process.env.INIT_CWD ?? process.cwd();
    const [page] = name === undefined ? [] : await choosePages([name], repositoryRoot, cwd);
    await interruptible(
      async (signal) => {
        await using undo = new AsyncDisposableStack();
        const sessions = createSessions({ root: repositoryRoot, signal }, undo);
        const options = { root: repositoryRoot, page, sessions, signal, open, ...(port && { port }) };
        await runUi({ ...options, say }, undo);
        return 0;
      },
      process.stdin.isTTY ? process.stdin : undefined,
    );
    // Ctrl+C is the way out, and no error.
    process.exitCode = 0;
  });
program
  .command("exercise")
  .description(
    "work on an exercise of a page that you follow by hand: its starter, tests, hints and solution",
  )
  .argument(
    "[exercise]",
    "its number, words of its step, or 03-nginx-operator/2@a-step (default: lists the exercises of your project)",
  )
  .addArgument(new Argument("[action]").choices(exerciseActions).default("check"))
  .argument("[number]", "which hint (default: the next one)", wholeNumber("a hint"))
  .action(async (name: string | undefined, action: ExerciseAction, number: number | undefined) => {
    const [{ doExercise, listExercises }, { workshopsOf }, { interruptible }] = await Promise.all([
      import("./exercise/exercise.ts"),
      import("./start/session.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible((signal) => {
      const options = {
        root: repositoryRoot,
        workshops: workshopsOf(repositoryRoot),
        cwd: process.env.INIT_CWD ?? process.cwd(),
        env: process.env,
        signal,
        ...(number !== undefined && { number }),
        words,
      };
      return working((output) =>
        name === undefined
          ? listExercises({ ...options, ...output })
          : doExercise(name, action, { ...options, ...output }),
      );
    });
  });
program
  .command("check")
  .description("check the project that you build by hand: print its first mistake, or how far it is right")
  .argument("[step]", "a step that must be complete: its number, its anchor, or words of its title")
  .action(async (step: string | undefined) => {
    const [{ checkWork }, { interruptible }] = await Promise.all([
      import("./check/check.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible(async (signal) => {
      const options = await learnerOptions(signal);
      return working((output) => checkWork(step, { ...options, ...output }));
    });
  });
program
  .command("read")
  .description("show a page in this terminal, in $PAGER or less")
  .argument("<page>", "03-nginx-operator/1, nginx/1, 3/1; of a tutorial alone, its first page")
  .option("--all", "show hints and solutions too")
  .action(async (name: string, { all = false }: { all?: boolean }) => {
    const [page] = await choosePages([name], repositoryRoot, process.env.INIT_CWD ?? process.cwd());
    if (page === undefined) throw new UserError(`${name} has no page`);
    const { showPage } = await import("./read/show-page.ts");
    await showPage(page, { all });
  });
program
  .command("catch-up")
  .description(
    "write your project's files as they are after a step, and create the page's objects; saves your files first",
  )
  .argument("[step]", "as for check (default: the step after the last right one, or the last finished one)")
  .option(
    "--objects",
    "create only the objects, up to the step or the last right one, and leave your files unchanged",
  )
  .action(async (step: string | undefined, { objects = false }: { objects?: boolean }) => {
    const [{ catchUp }, { interruptible }] = await Promise.all([
      import("./catch-up/catch-up.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible(async (signal) => {
      const options = { ...(await learnerOptions(signal)), objects };
      return working((output) => catchUp(step, { ...options, ...output }));
    });
  });
program
  .command("diff")
  .description("show how your files differ from the page's at your step")
  .argument("[file]", "one file of your project (default: all files of the page)")
  .action(async (file: string | undefined) => {
    const [{ showDiff }, { interruptible }] = await Promise.all([
      import("./check/diff.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible(async (signal) => {
      const options = await learnerOptions(signal);
      // A line of a diff keeps its text.
      return working((output) => showDiff(file, { ...options, ...output }), console.log);
    });
  });
program
  .command("watch")
  .description("check now, and again whenever you save a file or press Enter, until Ctrl+C")
  .argument("[step]", "as for check")
  .action(async (step: string | undefined) => {
    const [{ watchWork }, { interruptible }] = await Promise.all([
      import("./check/watch.ts"),
      import("./interruptible.ts"),
    ]);
    let status: number | undefined;
    await interruptible(async (signal) => {
      const options = {
        ...(await learnerOptions(signal)),
        clear: () => process.stdout.isTTY && console.clear(),
        terminal: process.stdin.isTTY ? process.stdin : undefined,
      };
      status = await working((output) => watchWork(step, { ...options, ...output }));
      return status;
    });
    // Ctrl+C is the way out, and no error.
    process.exitCode = status ?? 0;
  });
program
  .command("copy")
  .description(
    "start your own operator from a stage of a tutorial, outside the repository and with your names",
  )
  .argument("<stage>", "02-memcached-operator, 01-podbuggertool/1, 02-memcached-operator@a-step")
  .argument("<folder>", "the folder of the copy: empty, or missing")
  .option("--name <name>", "name of the project (default: the folder's)", once("--name"))
  .option("--domain <domain>", "domain of the API's group (default: the stage's)", once("--domain"))
  .option("--group <group>", "group of the API, before the domain (default: the stage's)", once("--group"))
  .option("--kind <kind>", "kind of the API (default: the stage's)", once("--kind"))
  .action(async (stage: string, folder: string, flags: IdentityFlags) => {
    const [{ copyStage }, { interruptible }] = await Promise.all([
      import("./copy/copy.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible(async (signal) => {
      // The person's folder: pnpm runs scripts in the repository's folder.
      const cwd = process.env.INIT_CWD ?? process.cwd();
      await copyStage(stage, folder, flags, { root: repositoryRoot, cwd, signal, say: console.log });
      return 0;
    });
  });

program
  .command("new-page")
  .description("for authors: write a minimal page and its claims file, with the tutorial's next number")
  .argument("<tutorial>", "a folder of tutorials: 02-memcached-operator, 2")
  .argument("<name>", "the page's title or file: 'A ConfigMap', a-configmap, 3-a-configmap")
  .action(async (tutorial: string, name: string) => {
    const { newPage } = await import("./author/new-page.ts");
    for (const path of await newPage(tutorial, name, repositoryRoot)) console.log(path);
  });

program
  .command("edit-page")
  .description(
    "for authors: edit the project as it is after a step, and write the change into all later blocks",
  )
  .argument("<step>", "02-memcached-operator/2@a-step")
  .option("--save", "write what you changed into the pages and the committed project")
  .action(async (name: string, { save }: { save?: boolean }) => {
    const [{ editPage }, { interruptible }] = await Promise.all([
      import("./author/edit-page.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible((signal) => {
      const cwd = process.env.INIT_CWD ?? process.cwd();
      return editPage(name, { root: repositoryRoot, cwd, signal, save: save === true, say: console.log });
    });
  });

program
  .command("update-pages")
  .description("for authors: rewrite the blocks of pages so that they produce the committed projects")
  .argument("[names...]", "02-memcached-operator: all pages of its projects (default: all tutorials)")
  .option("--save", "write the pages (default: show what would change)")
  .action(async (names: string[], { save }: { save?: boolean }) => {
    const [{ updatePages }, { interruptible }] = await Promise.all([
      import("./author/update-pages.ts"),
      import("./interruptible.ts"),
    ]);
    process.exitCode = await interruptible((signal) => {
      const cwd = process.env.INIT_CWD ?? process.cwd();
      return updatePages(names, { root: repositoryRoot, cwd, signal, save: save === true, say: console.log });
    });
  });

outliveTerminal();

/** Returns the options of the commands for a learner's own project. */
async function learnerOptions(signal: AbortSignal) {
  const { workshopsOf } = await import("./start/session.ts");
  return {
    root: repositoryRoot,
    workshops: workshopsOf(repositoryRoot),
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: process.env,
    words,
    signal,
    say,
  };
}

/** Runs work, and shows on a line of the terminal what it does, until it prints something or ends. */
async function working(
  work: (output: { say(text: string): void; doing(what: string): void }) => Promise<number>,
  print = say,
): Promise<number> {
  const { createWorkingLine } = await import("./working-line.ts");
  using line = createWorkingLine(process.stderr, process.env);
  return await work({
    doing: line.doing,
    say(text) {
      line.clear();
      print(text);
    },
  });
}

/** Prints lines for a person, wrapped at words in a terminal. */
function say(text: string): void {
  const { isTTY, columns } = process.stdout;
  console.log(isTTY ? wrapLines(text, columns || 80) : text);
}

try {
  await program.parseAsync();
} catch (error) {
  const expected =
    error instanceof UserError ||
    error instanceof ToolNotFoundError ||
    error instanceof UserDirectoryError ||
    // By name, so that commands without kind need not load it.
    (error instanceof Error && error.name === "KindError");
  const { isTTY, columns } = process.stderr;
  const message = expected ? `error: ${error.message}` : undefined;
  console.error(message !== undefined && isTTY ? wrapLines(message, columns || 80) : (message ?? error));
  process.exitCode = 1;
}
// A handle that a library keeps open must not keep a finished command alive.
process.exit();

/** Returns the usage of the called command, for a mistake in its arguments. */
function usage(): string {
  const called = program.commands.find((command) => command.name() === process.argv[2]);
  return called ? `; usage: ${typedName(called)} ${called.usage()}` : "";
}

/** Returns a command as this person types it: `npx --yes pnpm@12 exercise`, or `exercise` in the learner's shell. */
function typedName(command: Command): string {
  const name = command.name();
  if (command === program) return learn;
  if (name === "exercise") return exercise;
  if (scripts.includes(name)) return `${pnpm} ${name}`;
  const isShort = learn === "learn" && (courseCommands as readonly string[]).includes(name);
  return isShort ? name : `${learn} ${name}`;
}

/** Rejects a flag that is given twice, because it is unclear which value was meant. */
function once(flag: string): (value: string, before: string | undefined) => string {
  return (value, before) => {
    if (before !== undefined) throw new UserError(`${flag} is given twice: ${before} and ${value}`);
    return value;
  };
}

function wholeNumber(what: string, most = 9999): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^[1-9]\d*$/.test(text) || number > most)
      throw new UserError(
        `${JSON.stringify(text)} is not a valid number for ${what} (expected 1 to ${most})`,
      );
    return number;
  };
}

async function start(names: string[]): Promise<void> {
  const pages = await choosePages(names, repositoryRoot, process.cwd());
  if (pages.length === 0) throw new UserError("the first page is missing");
  if (process.stdin.isTTY && process.stdout.isTTY && !process.env.CI) {
    const { startInteractively } = await import("./start/interactive.ts");
    process.exitCode = await startInteractively(repositoryRoot, pages, { named: names.length > 0 });
  } else {
    const { verify } = await import("./verify.ts");
    process.exitCode = await verify(pages, { followFirst: names.length === 0 });
  }
}
