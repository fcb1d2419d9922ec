import { parse, serialize } from "just-bash";
import { filtersStdin } from "./tool.ts";

type Script = ReturnType<typeof parse>;
export type Statement = Script["statements"][number];
export type Pipeline = Statement["pipelines"][number];
export type CommandNode = Pipeline["commands"][number];
export type SimpleCommand = Extract<CommandNode, { type: "SimpleCommand" }>;
export type FunctionDefinition = Extract<CommandNode, { type: "FunctionDef" }>;
export type Word = SimpleCommand["args"][number];

/** Returns a command as shell text. */
export function source(command: CommandNode): string {
  return serialize({
    type: "Script",
    statements: [
      {
        type: "Statement",
        pipelines: [{ type: "Pipeline", commands: [command], negated: false }],
        operators: [],
        background: false,
      },
    ],
  });
}

export function pipelineSource(pipeline: Pipeline): string {
  return serialize({
    type: "Script",
    statements: [{ type: "Statement", pipelines: [pipeline], operators: [], background: false }],
  });
}

export function wordSource(word: Word): string {
  const text = source({
    type: "SimpleCommand",
    name: { type: "Word", parts: [{ type: "Literal", value: "x" }] },
    args: [word],
    assignments: [],
    redirections: [],
  });
  return text.trim().slice(2);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a command reads the shell's standard input. */
export function readsStdin(command: CommandNode): boolean {
  if (
    command.type !== "SimpleCommand" ||
    command.redirections.some(({ operator }) => operator.startsWith("<"))
  ) {
    return false;
  }
  return filtersStdin(
    literal(command.name) ?? "",
    command.args.map((word) => literal(word) ?? "?"),
  );
}

/** Returns the text of a word that needs no expansion. undefined: it needs one. */
export function literal(word: SimpleCommand["name"]): string | undefined {
  if (!word) return undefined;
  const parts = word.parts.map((part) =>
    part.type === "Literal" || part.type === "SingleQuoted" ? part.value : undefined,
  );
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** Whether the pipeline is a single command without redirections. */
export function isPlain({ commands: [command], commands }: Pipeline): boolean {
  return commands.length === 1 && command?.type === "SimpleCommand" && command.redirections.length === 0;
}

export function statementSource(statement: Statement): string {
  return (
    statement.pipelines
      .map((pipeline, index) => `${pipelineSource(pipeline).trim()} ${statement.operators[index] ?? ""}`)
      .join(" ") + (statement.background ? " &" : "")
  );
}

/** Whether the shell would ask for another line: an open quote, an unfinished loop, a trailing backslash. */
export function isIncomplete(text: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\\n$/.test(text) || /(?:&&|\|\||\|)\s*\n$/.test(text)) return true;
  try {
    return JSON.stringify(parse(text)).includes('"terminated":false');
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/got EOF|unexpected EOF|unexpected end/i.test(message)) return true;
    const [, line, column] = /Parse error at (\d+):(\d+)/.exec(message) ?? [];
    const all = text.replace(/\n$/, "").split("\n");
    return (
      Number(line) > all.length || (Number(line) === all.length && Number(column) > (all.at(-1)?.length ?? 0))
    );
  }
}
