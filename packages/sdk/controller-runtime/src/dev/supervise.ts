import type { Clock } from "@operator-path/client";
import { untilAborted } from "../until-aborted.ts";
import type { Change, Changes } from "./changes.ts";
import type { ManagerEvent } from "./host.ts";
import type { Ending, Launch, OperatorProcess } from "./operator-process.ts";
import type { PreservedListeners } from "./preserved-listeners.ts";

export interface SuperviseOptions {
  launch(run: Pick<Launch, "modules" | "onManager">): OperatorProcess;
  changes: Changes;
  listeners: PreservedListeners;
  /** Returns why a file cannot be loaded, for the user, or undefined when no error is found. */
  syntaxErrorOf(path: string): string | undefined;
  /** Begins to check the types of the files that the operator starts with. */
  checkTypes(): void;
  /** Whether to keep a second process ready that has loaded everything except the operator's own modules. */
  ahead: boolean;
  /** Milliseconds that the operator has to end. */
  grace: number;
  /** The name of the main file, for the user. */
  main: string;
  nameOf(path: string): string;
  say(line: string): void;
  clock: Clock;
  /** Stops the operator in order. */
  stop: AbortSignal;
  /** Ends it at once. */
  hurry: AbortSignal;
}

/** One process, from its launch on. */
interface Run {
  process: OperatorProcess;
  /** Time of the event that caused the launch. */
  since: number;
  isRestart: boolean;
  isSettled: boolean;
  /** Whether it is being stopped. Its messages no longer matter. */
  isLeaving: boolean;
  hasLost: boolean;
}

/** Why the next process starts. */
interface Restart {
  at: number;
  /** Whether only modules have changed, so that the prepared process can be used. */
  modulesOnly: boolean;
}

const isModule = (path: string) => /\.[cm]?[jt]sx?$/.test(path);

const onlyModules = ({ files }: Change): boolean => [...files].every(isModule);

/**
 * Runs the operator and restarts it after each save. The old process has ended before the new one loads its
 * main file, so two never act at once. Resolves when it was stopped, with the end of the last process.
 */
export async function supervise(options: SuperviseOptions): Promise<Ending> {
  const { changes, listeners, say, clock, stop, grace } = options;
  const stopped = untilAborted(stop).then(() => "stopped" as const);
  /** Files with a syntax error. The running operator has not loaded this version of them. */
  const broken = new Set<string>();
  let spare: Run | undefined;

  function launch(modules: Iterable<string>): Run {
    const onManager = (event: ManagerEvent) => handleEvent(run, event);
    const run: Run = {
      process: options.launch({ modules, onManager }),
      ...{ since: clock.steady(), isRestart: false },
      ...{ isSettled: false, isLeaving: false, hasLost: false },
    };
    return run;
  }

  function prepareSpare(modules: Iterable<string>): void {
    if (spare || !options.ahead) return;
    const own = launch(modules);
    spare = own;
    own.process.ended.then(() => {
      if (spare === own) spare = undefined;
    });
  }

  function handleEvent(run: Run, event: ManagerEvent): void {
    if (run.isLeaving) return;
    if (event.state === "lost") {
      run.hasLost = true;
      return;
    }
    if (event.state === "waiting")
      say(`${event.holder} holds the Lease ${event.lease}: this operator waits for it`);
    if (event.state === "ready") {
      const milliseconds = Math.round(clock.steady() - run.since);
      say(`${run.isRestart ? "restarted" : "started"} in ${milliseconds} ms`);
    }
    run.isSettled = true;
    listeners.closeUnclaimed();
    prepareSpare(run.process.imports);
  }

  /** A module that was not imported does not matter. While the operator loads, that is not known yet. */
  function concerns({ asked, files }: Change, { isSettled, process }: Run): boolean {
    return asked || !isSettled || [...files].some((file) => !isModule(file) || process.loaded.has(file));
  }

  function isLoadable({ files }: Change): boolean {
    for (const file of new Set([...broken, ...files])) {
      const error = options.syntaxErrorOf(file);
      if (error === undefined) broken.delete(file);
      else {
        broken.add(file);
        say(`${error}\nThe previous operator keeps running.`);
      }
    }
    return broken.size === 0;
  }

  /** Waits until the process must be replaced. Resolves with undefined when it was stopped instead. */
  async function outlive(run: Run): Promise<Restart | undefined> {
    let ended: Promise<Ending> | undefined = run.process.ended;
    for (;;) {
      const what = await Promise.race([
        stopped,
        changes.settled().then(() => "changed" as const),
        ...(ended ? [ended] : []),
      ]);
      if (what === "stopped") return undefined;
      if (what === "changed") {
        const change = changes.take();
        if (!change) continue;
        if (ended && !(concerns(change, run) && (change.asked || isLoadable(change)))) continue;
        say(`${describe(change)}: restarting`);
        return { at: change.at, modulesOnly: onlyModules(change) };
      }
      ended = undefined;
      if (run.hasLost) {
        say("leadership was lost: restarting");
        return { at: clock.steady(), modulesOnly: true };
      }
      // Refuse webhook calls at once instead of letting them wait.
      listeners.close();
      say(`${options.main} ended ${how(what)}: the next save starts it again`);
    }
  }

  function describe({
    asked,
    files: [first, ...others],
  }: {
    asked: boolean;
    files: Iterable<string>;
  }): string {
    if (asked || first === undefined) return "requested";
    return `${options.nameOf(first)}${others.length > 0 ? ` and ${others.length} more` : ""} changed`;
  }

  async function launchNext({ modulesOnly }: Restart): Promise<Run> {
    const own = spare;
    spare = undefined;
    if (own && modulesOnly) return unlessStale(own);
    own?.process.discard();
    return launch([]);
  }

  /** Returns the run, or a new one if a file that it has loaded has changed. After a stop, no run starts. */
  async function unlessStale(run: Run): Promise<Run> {
    if (await Promise.race([run.process.isFresh(), stopped.then(() => true)])) return run;
    return replaced(run);
  }

  async function replaced(run: Run): Promise<Run> {
    await run.process.discard();
    return launch([]);
  }

  async function end(run: Run): Promise<Ending> {
    run.isLeaving = true;
    const ending = await run.process.stop(grace, options.hurry);
    if (ending.late) say("the operator did not end in time: it was killed");
    return ending;
  }

  let present = launch([]);
  changes.take();
  for (;;) {
    listeners.releaseClaims();
    present.process.start();
    options.checkTypes();
    const restart = await outlive(present);
    const [chosen, ending] = await Promise.all([restart && launchNext(restart), end(present)]);
    // The next process reads the current files, except those that it has loaded ahead.
    const late = changes.take();
    const next = chosen && (await (late && !onlyModules(late) ? replaced(chosen) : unlessStale(chosen)));
    if (!restart || !next || stop.aborted) {
      await Promise.all([next?.process.discard(), spare?.process.discard()]);
      listeners.close();
      return ending;
    }
    present = Object.assign(next, { since: restart.at, isRestart: true });
  }
}

const how = ({ code, signal }: Ending) => (signal ? `by ${signal}` : `with exit code ${code}`);
