import { createFakeClock } from "@operator-path/client/testing";
import { expect, test, vi } from "vitest";
import { createChanges } from "./changes.ts";
import type { ManagerEvent } from "./host.ts";
import type { Ending, OperatorProcess } from "./operator-process.ts";
import { createPreservedListeners } from "./preserved-listeners.ts";
import { supervise } from "./supervise.ts";

interface FakeProcess extends OperatorProcess {
  modules: string[];
  state: "prepared" | "started" | "stopped" | "ended" | "discarded";
  report(event: ManagerEvent): void;
  end(ending?: Partial<Ending>): void;
}

/** A supervisor whose processes the test controls. */
function startSupervisor({ ahead = true } = {}) {
  const clock = createFakeClock();
  const changes = createChanges({ clock, quiet: 50 });
  const processes: FakeProcess[] = [];
  const lines: string[] = [];
  const stop = new AbortController();
  const broken = new Set<string>();
  const fresh = { yes: true };
  const result = supervise({
    launch({ modules, onManager }) {
      const ended = Promise.withResolvers<Ending>();
      const own: FakeProcess = {
        ...{ loaded: new Set(["main.ts", "own.ts"]), imports: new Set(["lib"]), ended: ended.promise },
        ...{ modules: [...modules], state: "prepared", report: onManager },
        async isFresh() {
          // As long as a message takes from another process.
          for (let tick = 0; tick < 10; tick++) await undefined;
          return own.modules.length === 0 || fresh.yes;
        },
        start() {
          own.state = "started";
        },
        async stop() {
          if (own.state === "started") own.state = "stopped";
          return ended.promise;
        },
        async discard() {
          own.state = "discarded";
          const ending = { code: null, signal: "SIGKILL" } as const;
          ended.resolve(ending);
          return ending;
        },
        end(ending = {}) {
          own.state = "ended";
          ended.resolve({ code: 0, signal: null, ...ending });
        },
      };
      processes.push(own);
      return own;
    },
    ...{ changes, listeners: createPreservedListeners(), ahead, grace: 10_000, main: "main.ts", clock },
    ...{ nameOf: (path) => path, say: (line) => void lines.push(line) },
    syntaxErrorOf: (path) => (broken.has(path) ? `error in ${path}` : undefined),
    checkTypes: () => {},
    ...{ stop: stop.signal, hurry: new AbortController().signal },
  });
  const states = () => processes.map(({ state }) => state);
  return {
    ...{ processes, lines, states, broken, fresh, clock, changes, result },
    stop: () => stop.abort(),
    async save(...files: string[]) {
      for (const file of files) changes.note(file);
      await clock.advance(50);
    },
    untilStates: (...expected: string[]) => vi.waitFor(() => expect(states()).toEqual(expected)),
  };
}

test("starts the prepared process when the old one has ended", async () => {
  const { processes, states, untilStates, save, lines, clock } = startSupervisor();
  expect(states()).toEqual(["started"]);
  processes[0]?.report({ state: "ready" });
  expect(states()).toEqual(["started", "prepared"]);
  expect(processes[1]?.modules).toEqual(["lib"]);
  await save("own.ts");
  await untilStates("stopped", "prepared");
  await clock.advance(150);
  processes[0]?.end();
  await untilStates("ended", "started");
  processes[1]?.report({ state: "ready" });
  expect(lines).toEqual(["started in 0 ms", "own.ts changed: restarting", "restarted in 200 ms"]);
});

test("does not restart again for a save while the old process ends", async () => {
  const { processes, untilStates, save, clock } = startSupervisor({ ahead: false });
  processes[0]?.report({ state: "ready" });
  await save("own.ts");
  await untilStates("stopped", "prepared");
  await save("main.ts");
  processes[0]?.end();
  await untilStates("ended", "started");
  await clock.advance(1_000);
  await untilStates("ended", "started");
});

test("discards the prepared process when a preloaded file or a non-module has changed", async () => {
  const { processes, untilStates, save, fresh } = startSupervisor();
  processes[0]?.report({ state: "ready" });
  fresh.yes = false;
  await save("own.ts");
  await untilStates("stopped", "discarded", "prepared");
  processes[0]?.end();
  fresh.yes = true;
  await untilStates("ended", "discarded", "started");
  processes[2]?.report({ state: "ready" });
  await save("settings.yaml");
  await untilStates("ended", "discarded", "stopped", "discarded", "prepared");
  expect(processes[4]?.modules).toEqual([]);
});

test("discards the prepared process when a preloaded file changes while the old process ends", async () => {
  const { processes, untilStates, save, fresh, changes } = startSupervisor();
  processes[0]?.report({ state: "ready" });
  changes.ask();
  await untilStates("stopped", "prepared");
  fresh.yes = false;
  await save("linked.ts");
  processes[0]?.end();
  await untilStates("ended", "discarded", "started");
  expect(processes[2]?.modules).toEqual([]);
});

test("discards the prepared process when a non-module changes while the old process ends", async () => {
  const { processes, untilStates, save, changes } = startSupervisor();
  processes[0]?.report({ state: "ready" });
  changes.ask();
  await untilStates("stopped", "prepared");
  await save(".env");
  processes[0]?.end();
  await untilStates("ended", "discarded", "started");
});

test("ignores a module that was not imported, except while the operator starts", async () => {
  const { processes, states, untilStates, save } = startSupervisor({ ahead: false });
  await save("own.test.ts");
  await untilStates("stopped", "prepared");
  processes[0]?.end();
  await untilStates("ended", "started");
  processes[1]?.report({ state: "ready" });
  await save("own.test.ts");
  expect(states()).toEqual(["ended", "started"]);
});

test("a syntax error delays restarts, except for a requested one", async () => {
  const { processes, states, untilStates, save, broken, lines, changes } = startSupervisor({ ahead: false });
  processes[0]?.report({ state: "ready" });
  broken.add("own.ts");
  await save("own.ts");
  await save("main.ts");
  expect(states()).toEqual(["started"]);
  expect(lines.slice(1)).toEqual(Array(2).fill("error in own.ts\nThe previous operator keeps running."));
  changes.ask();
  await untilStates("stopped", "prepared");
  expect(lines.at(-1)).toBe("requested: restarting");
});

test("restarts after lost leadership, and waits for a save after any other end", async () => {
  const { processes, untilStates, states, save, lines } = startSupervisor({ ahead: false });
  processes[0]?.report({ state: "lost" });
  processes[0]?.end({ code: 1 });
  await untilStates("ended", "started");
  processes[1]?.end({ code: 7 });
  await vi.waitFor(() => expect(lines.at(-1)).toContain("main.ts ended with exit code 7"));
  expect(states()).toEqual(["ended", "ended"]);
  await save("anything.ts");
  await untilStates("ended", "ended", "started");
});

test("names the holder when the operator waits for a Lease", async () => {
  const { processes, lines } = startSupervisor();
  processes[0]?.report({ state: "waiting", lease: "default/dev", holder: "pod-7" });
  expect(lines).toEqual(["pod-7 holds the Lease default/dev: this operator waits for it"]);
});

test("starts nothing after a stop, and waits for all processes", async () => {
  const { processes, untilStates, states, stop, save, result } = startSupervisor();
  processes[0]?.report({ state: "ready" });
  await save("own.ts");
  await untilStates("stopped", "prepared");
  stop();
  processes[0]?.end({ code: 3 });
  await untilStates("ended", "discarded");
  expect(await result).toMatchObject({ code: 3 });
  expect(states()).toEqual(["ended", "discarded"]);
});
