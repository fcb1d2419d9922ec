import { parse } from "just-bash";
import type { ProcessContext } from "../runtime/contracts.ts";
import type { Signal } from "../runtime/process-table.ts";
import { baseName, CANNOT_FORK, createChildProcesses, SHELLS } from "./child-processes.ts";
import type { Interpreter } from "./interpreter.ts";
import { echoLines, fork, type Leave, type ReadLine, readInto, type ShellState } from "./shell-state.ts";
import {
  type CommandNode,
  isPlain,
  literal,
  type Pipeline,
  pipelineSource,
  readsStdin,
  type SimpleCommand,
  type Statement,
  source,
  statementSource,
} from "./syntax.ts";
import { inShellWording } from "./wording.ts";

/** The limit for nested function calls. A real shell crashes when its stack is full. */
const maxCallDepth = 1000;

/** A shell that runs scripts command by command, so that output appears at once and loops may run forever. */
export interface ShellSession {
  readonly state: ShellState;
  /**
   * Runs a script.
   * @returns whether the shell has ended (`exit`)
   */
  run(script: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Runs the trap for a signal.
   * @returns whether there is one
   */
  trap(signal: Signal): Promise<boolean>;
}

export interface SessionOptions {
  context: ProcessContext;
  interpreter: Interpreter;
  positional?: string[];
  /** Reads all remaining standard input, for the first command that needs it. */
  readAll?: () => Promise<Uint8Array>;
  /** Reads a line for `read`. undefined: the input has ended. */
  readLine?: ReadLine;
  /** Runs a shell inside this one: `sh` without arguments, on a terminal. */
  nested?: () => Promise<number>;
}

export function createSession(options: SessionOptions, inherited?: ShellState): ShellSession {
  const { context, interpreter } = options;
  const flavour = context.container.config.image.shell?.flavour ?? "busybox";
  const state: ShellState = inherited ?? {
    cwd: context.cwd,
    variables: { ...context.env },
    exported: new Set(Object.keys(context.env)),
    functions: new Map(),
    positional: options.positional ?? [],
    status: 0,
    errexit: false,
    callDepth: 0,
  };
  const jobs = new Set<Promise<unknown>>();
  const traps = new Map<string, string>();
  const pending: Signal[] = [];
  let interrupt: (() => void) | undefined;

  const printError = (text: string) => context.stderr(inShellWording(flavour, context.argv[0] ?? "sh", text));
  const programs = createChildProcesses({ context, interpreter, state, printError });

  async function runAll(
    statements: readonly Statement[],
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined> {
    for (const statement of statements) {
      // Every script passes here between commands. It must yield, because the API server uses the same
      // thread.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return { kind: "exit" };
      const leave = await runStatement(statement, signal, guarded);
      if (leave) return leave;
      await runTraps(signal);
    }
    return undefined;
  }

  async function runStatement(
    statement: Statement,
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined> {
    if (statement.deferredError) {
      printError(`bash: syntax error: ${statement.deferredError.message}\n`);
      state.status = 2;
      return { kind: "exit" };
    }
    if (statement.background) {
      const { processes } = context.container.config;
      if (processes.full) {
        printError(CANNOT_FORK);
        state.status = 2;
        return { kind: "discard" };
      }
      const place = processes.startJob();
      const copy = createSession(options, fork(state));
      const text = statement.pipelines.map(
        (p, i) => `${pipelineSource(p).trim()} ${statement.operators[i] ?? ""}`,
      );
      // Nothing awaits the job, so its bugs are printed like those of other programs (see spawnProcess).
      const job: Promise<unknown> = copy
        .run(text.join(" "), signal)
        .catch((error: unknown) =>
          printError(`bash: ${error instanceof Error ? error.message : String(error)}\n`),
        )
        .finally(() => {
          place.end();
          jobs.delete(job);
        });
      jobs.add(job);
      state.status = 0;
      return undefined;
    }
    for (const [index, pipeline] of statement.pipelines.entries()) {
      const operator = statement.operators[index - 1];
      if (operator === "&&" && state.status !== 0) continue;
      if (operator === "||" && state.status === 0) continue;
      const last = index === statement.pipelines.length - 1;
      const leave = await runPipeline(pipeline, signal, guarded || !last || pipeline.negated);
      if (leave) return leave;
      if (state.errexit && !guarded && last && !pipeline.negated && state.status !== 0)
        return { kind: "exit" };
    }
    return undefined;
  }

  async function runPipeline(
    pipeline: Pipeline,
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined> {
    const [command] = pipeline.commands;
    if (command && pipeline.commands.length === 1 && !pipeline.timed) {
      const leave = await runCommand(command, signal, guarded);
      if (leave !== "leaf") {
        if (pipeline.negated) state.status = state.status === 0 ? 1 : 0;
        return leave;
      }
    }
    const stdin = options.readAll && command && readsStdin(command) ? await options.readAll() : undefined;
    return leaf(pipelineSource(pipeline), signal, guarded, isPlain(pipeline), stdin);
  }

  /** Runs compound commands and commands whose output must not be buffered. Anything else is a leaf. */
  async function runCommand(
    command: CommandNode,
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined | "leaf"> {
    if (command.type === "FunctionDef") {
      state.functions.set(command.name, command);
      state.status = 0;
      return undefined;
    }
    if ("redirections" in command && command.redirections.length > 0) return "leaf";
    switch (command.type) {
      case "SimpleCommand":
        return runSimple(command, signal, guarded);
      case "Group":
        return runAll(command.body, signal, guarded);
      case "Subshell": {
        const inner = createSession(options, fork(state));
        await inner.run(command.body.map((statement) => statementSource(statement)).join("\n"), signal);
        state.status = inner.state.status;
        return undefined;
      }
      case "If": {
        for (const clause of command.clauses) {
          const leave = await runAll(clause.condition, signal, true);
          if (leave) return leave;
          if (state.status === 0) return runAll(clause.body, signal, guarded);
        }
        state.status = 0;
        return command.elseBody ? runAll(command.elseBody, signal, guarded) : undefined;
      }
      case "While":
      case "Until":
        return loop(
          async () => {
            const leave = await runAll(command.condition, signal, true);
            if (leave) return leave;
            return (state.status === 0) === (command.type === "While");
          },
          command.body,
          signal,
          guarded,
        );
      case "For": {
        const words = command.words
          ? await interpreter.expand(command.words, state, signal)
          : [...state.positional];
        return loop(
          async () => {
            const word = words.shift();
            if (word === undefined) return false;
            state.variables[command.variable] = word;
            return true;
          },
          command.body,
          signal,
          guarded,
        );
      }
      default:
        return "leaf";
    }
  }

  async function loop(
    next: () => Promise<boolean | Leave>,
    body: readonly Statement[],
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined> {
    let status = 0;
    for (;;) {
      // A loop with an empty body passes no statement, so it must yield here.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return { kind: "exit" };
      const more = await next();
      if (typeof more === "object") return more;
      if (!more) break;
      const leave = await runAll(body, signal, guarded);
      status = state.status;
      if (!leave) continue;
      if (leave.kind !== "break" && leave.kind !== "continue") return leave;
      if (leave.levels > 1) return { kind: leave.kind, levels: leave.levels - 1 };
      if (leave.kind === "break") break;
    }
    state.status = status;
    return undefined;
  }

  async function runSimple(
    command: SimpleCommand,
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined | "leaf"> {
    const name = literal(command.name);
    if (name === undefined || command.assignments.length > 0) return "leaf";
    const words = () => interpreter.expand(command.args, state, signal);
    const called = state.functions.get(name);
    if (called) return callFunction(called, await words(), signal, guarded);
    switch (name) {
      case "exit":
        state.status = Number((await words())[0] ?? state.status) & 255;
        return { kind: "exit" };
      case "return":
        state.status = Number((await words())[0] ?? state.status) & 255;
        return { kind: "return" };
      case "break":
      case "continue":
        return { kind: name, levels: Number((await words())[0] ?? 1) };
      case "wait":
        await untilInterrupted(Promise.all(jobs), signal);
        state.status = 0;
        return undefined;
      case "trap": {
        const [action = "", ...signals] = await words();
        for (const each of signals) traps.set(each.replace(/^SIG/, ""), action);
        state.status = 0;
        return undefined;
      }
      case "exec": {
        const [first, ...rest] = await words();
        if (first === undefined) return undefined;
        await programs.replaceShell([first, ...rest], signal);
        return { kind: "exit" };
      }
      case "cat":
        if (!context.tty || !options.readLine || command.args.length > 0) break;
        await echoLines(options.readLine, context, signal);
        state.status = 0;
        return undefined;
      case "read":
        if (!options.readLine || command.redirections.length > 0) return "leaf";
        await readInto(state, await words(), options.readLine, context, signal);
        return undefined;
      default:
    }
    if (!(await programs.runs(name, command))) return "leaf";
    const argv = [name, ...(await words())];
    const isShell = argv.length === 1 && SHELLS.has(baseName(name));
    if (options.nested && isShell && !signal?.aborted) state.status = await options.nested();
    else await programs.run(argv, signal);
    return undefined;
  }

  async function callFunction(
    definition: ReturnType<ShellState["functions"]["get"]> & object,
    args: string[],
    signal: AbortSignal | undefined,
    guarded: boolean,
  ): Promise<Leave | undefined | "leaf"> {
    // Only the interpreter's own function calls support `local`.
    if (/\blocal\b/.test(source(definition))) return "leaf";
    if (state.callDepth >= maxCallDepth) {
      printError(`bash: ${definition.name}: maximum function nesting level exceeded (${maxCallDepth})\n`);
      state.status = 1;
      return { kind: "discard" };
    }
    const outer = state.positional;
    state.positional = args;
    state.callDepth++;
    const leave = await runCommand(definition.body, signal, guarded).finally(() => {
      state.positional = outer;
      state.callDepth--;
    });
    if (leave === "leaf") return "leaf";
    return leave?.kind === "return" ? undefined : leave;
  }

  async function leaf(
    text: string,
    signal: AbortSignal | undefined,
    guarded: boolean,
    plain: boolean,
    stdin: Uint8Array | undefined,
  ): Promise<Leave | undefined> {
    interpreter.output.terminal = context.tty && plain;
    context.process.cwd = state.cwd;
    const result = await interpreter.run(text, state, {
      guarded,
      ...(signal ? { signal } : {}),
      ...(stdin ? { stdin } : {}),
    });
    context.process.cwd = state.cwd;
    if (signal?.aborted) return { kind: "exit" };
    if (result.stderr) await printError(result.stderr);
    await context.stdout(result.stdout);
    return result.exited ? { kind: "exit" } : undefined;
  }

  async function untilInterrupted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      interrupt = resolve;
      void work.then(() => resolve());
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    interrupt = undefined;
  }

  async function runTraps(signal: AbortSignal | undefined): Promise<void> {
    // A signal that arrives while a trap runs waits until the trap ends, so that a trap that signals its own
    // shell does not nest.
    if (trapping) return;
    trapping = true;
    try {
      for (let next = pending.shift(); next; next = pending.shift()) {
        const action = traps.get(next.slice(3)) ?? "";
        if (action && (await session.run(action, signal))) hasExited = true;
      }
    } finally {
      trapping = false;
    }
  }

  let trapping = false;
  let hasExited = false;
  const session: ShellSession = {
    state,
    async run(script, signal) {
      let statements: readonly Statement[];
      try {
        ({ statements } = parse(script));
      } catch (error) {
        printError(`bash: syntax error: ${error instanceof Error ? error.message : String(error)}\n`);
        state.status = 2;
        return false;
      }
      const leave = await runAll(statements, signal, false);
      await runTraps(signal);
      return hasExited || leave?.kind === "exit";
    },
    async trap(name) {
      if (!traps.has(name.slice(3))) return false;
      pending.push(name);
      interrupt?.();
      return true;
    },
  };
  return session;
}
