import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { expandVariables, splitWords } from "@operator-path/kubelet/local-images";
import { copy } from "./copy.ts";
import type { Instruction } from "./dockerfile.ts";
import { modulesLink } from "./host-tree.ts";
import { type BuildOptions, originOf, type Stage } from "./stage.ts";

/** ARG: the value of the command line, else of the ARG before the first FROM, else the default. */
export function args(
  instruction: Instruction,
  options: BuildOptions,
  globals: ReadonlyMap<string, string>,
  known = globals,
): [string, string][] {
  return instruction.text.split(/\s+(?=[A-Za-z_]\w*(?:=|$))/).flatMap((text): [string, string][] => {
    const [, name = "", value] = /^([^=]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
    const chosen =
      options.buildArgs.get(name) ??
      (value === undefined
        ? globals.get(name)
        : splitWords(value, (other) => known.get(other)).words.join(" "));
    return chosen === undefined ? [] : [[name, chosen]];
  });
}

/**
 * Applies one instruction to a stage, or reports why it is skipped.
 *
 * @throws Error with what to do
 */
export function apply(
  instruction: Instruction,
  stage: Stage,
  stages: readonly Stage[],
  globals: ReadonlyMap<string, string>,
  options: BuildOptions,
): void | Promise<void> {
  const { keyword, text, json } = instruction;
  const variable = (name: string) => stage.variables.get(name);
  const expand = (value: string) => expandVariables(value, variable);
  const workingDir = stage.config.workingDir ?? "/";
  switch (keyword) {
    case "ARG":
      for (const [name, value] of args(instruction, options, globals, stage.variables))
        stage.variables.set(name, value);
      return;
    case "ENV": {
      const added = pairs(text, variable);
      stage.config = { ...stage.config, env: { ...stage.config.env, ...added } };
      for (const [name, value] of Object.entries(added)) stage.variables.set(name, value);
      return;
    }
    case "LABEL":
      stage.config = { ...stage.config, labels: { ...stage.config.labels, ...pairs(text, variable) } };
      return;
    case "WORKDIR": {
      const folder = posix.resolve(workingDir, expand(text));
      stage.config = { ...stage.config, workingDir: folder };
      if (folder !== "/" && !stage.entries.has(folder)) stage.entries.set(folder, { type: "folder" });
      return;
    }
    case "USER":
      stage.config = { ...stage.config, user: expand(text) };
      return;
    case "EXPOSE": {
      const ports = expand(text)
        .split(/\s+/)
        .map((port) => (port.includes("/") ? port : `${port}/tcp`));
      stage.config = { ...stage.config, exposedPorts: [...(stage.config.exposedPorts ?? []), ...ports] };
      return;
    }
    case "STOPSIGNAL":
      stage.config = { ...stage.config, stopSignal: stopSignal(expand(text)) };
      return;
    case "ENTRYPOINT":
      // As in Docker, a new entrypoint clears the base image's arguments.
      stage.config = { ...stage.config, entrypoint: command(text, json), cmd: [] };
      return;
    case "CMD":
      stage.config = { ...stage.config, cmd: command(text, json) };
      return;
    case "COPY":
    case "ADD":
      return copy(instruction, stage, stages, options, expand);
    case "RUN":
      run(instruction, stage, options);
      return;
    case "VOLUME":
    case "SHELL":
    case "MAINTAINER":
      options.say(`${keyword}: ignored here`);
      return;
    case "HEALTHCHECK":
      options.say("HEALTHCHECK: ignored, as in every Kubernetes cluster: use probes");
      return;
    case "ONBUILD":
      throw new Error(
        "ONBUILD is not supported here: write its instruction into the Dockerfile that uses the image",
      );
    default:
      throw new Error(`unknown instruction ${keyword}`);
  }
}

function stopSignal(text: string) {
  const name = text.startsWith("SIG") ? text : `SIG${text}`;
  const known = ["SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGKILL"] as const;
  const signal = known.find((one) => one === name);
  if (signal === undefined)
    throw new Error(`STOPSIGNAL ${text} is not supported (expected one of ${known.join(", ")})`);
  return signal;
}

/** The shell form is run by a shell, if the image has one. */
function command(text: string, json: readonly string[] | undefined): string[] {
  return json ? [...json] : ["/bin/sh", "-c", text];
}

/** Parses `A=b "C=d e"`, or the old `NAME value`. */
function pairs(text: string, variable: (name: string) => string | undefined): Record<string, string> {
  const old = /^([A-Za-z_][\w.-]*)\s+([^=]*)$/.exec(text);
  if (old?.[1]) return { [old[1]]: splitWords(old[2] ?? "", variable).words.join(" ") };
  return Object.fromEntries(
    splitWords(text, variable).words.map((word) => {
      const equals = word.indexOf("=");
      if (equals < 1) throw new Error(`"${word}" has no =: write NAME=value`);
      return [word.slice(0, equals), word.slice(equals + 1)];
    }),
  );
}

/** What a RUN instruction does, judged by its text. */
type RunKind = "install" | "other";

const install =
  /(?:^|[\s;&(])(?:npm\s+(?:ci|i|install|clean-install)|pnpm\s+(?:i|install|fetch|deploy)|yarn(?:\s+install|\s+--\S+)?)(?=[\s;&)]|$)/;

/** Returns "install" for a local install, which fills node_modules, and "other" for everything else. */
function runKind(text: string): RunKind {
  return text
    .split(/&&|;|\n/)
    .some((command) => install.test(`${command.trim()} `) && !/\s(?:-g|--global)\b/.test(command))
    ? "install"
    : "other";
}

/**
 * Skips a RUN. If it would install packages, the project's own node_modules are used instead.
 *
 * @throws Error if the project has none
 */
function run(instruction: Instruction, stage: Stage, options: BuildOptions): void {
  const text = (instruction.json?.join(" ") ?? instruction.text).replace(/\s+/g, " ");
  const line = text.length > 70 ? `${text.slice(0, 67)}...` : text;
  stage.skipped.push({ line: instruction.line, text: line });
  const folder = stage.config.workingDir ?? "/";
  const origin = originOf(stage, folder);
  if (runKind(text) === "other" || origin === undefined) {
    options.say(`RUN ${line}: skipped, nothing in a Dockerfile is run`);
    return;
  }
  const modules = join(origin, "node_modules");
  if (!existsSync(modules)) {
    const project = relative(process.cwd(), origin) || ".";
    throw new Error(
      `RUN ${line} is skipped here, and ${modules}, which would replace it, is missing: install the packages in ${project} first`,
    );
  }
  stage.entries.set(posix.join(folder, "node_modules"), modulesLink(modules));
  options.say(`RUN ${line}: skipped, the project's node_modules are used as they are`);
}
