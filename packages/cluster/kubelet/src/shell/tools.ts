import { type Command, defineCommand } from "just-bash";
import type { ContainerFileSystem, ProcessContext } from "../runtime/contracts.ts";
import { listTool } from "./list-tool.ts";
import { httpTools } from "./network-tools.ts";
import { accounts, identityTools, processTools } from "./system-tools.ts";
import { failed, type OutputKind, ok, type Tool } from "./tool.ts";

/**
 * Returns the tools that just-bash lacks, or that would show its own world: processes, users, network, ls.
 */
export function createTools(
  context: ProcessContext,
  files: ContainerFileSystem,
  output: OutputKind,
): Command[] {
  const readAccounts = () => accounts(files);
  const tools: Record<string, Tool> = {
    ...identityTools(context, readAccounts),
    ...processTools(context, readAccounts),
    ...httpTools(context),
    ls: listTool(output, files, readAccounts),
    env: (args, { exported }) => {
      if (args.length > 0) return failed(`env: can't execute '${args[0]}': not simulated\n`, 127);
      return ok(
        Object.entries(exported)
          .filter(([name]) => name !== "OLDPWD")
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      );
    },
    printenv: ([name], { exported }) => {
      if (name === undefined)
        return ok(
          Object.entries(exported)
            .map(([key, value]) => `${key}=${value}\n`)
            .join(""),
        );
      return name in exported ? ok(`${exported[name]}\n`) : failed("");
    },
    arch: () => ok("x86_64\n"),
    nproc: () => ok("4\n"),
  };
  const tar = defineCommand("tar", async (args, ctx) => {
    const original = ctx.origCommand;
    if (!original) return failed("tar: not found\n", 127);
    // In an archive, absolute names lose their leading slash. just-bash keeps it, and kubectl cp rejects such
    // names.
    const creates = args.some((word, index) => (index === 0 || word.startsWith("-")) && /^-?\w*c/.test(word));
    const absolute = (word: string, index: number) =>
      index > 0 && word.startsWith("/") && !/^-\w*[fC]$/.test(args[index - 1] ?? "");
    if (!creates || !args.some(absolute)) return original(args);
    const [flags = "", ...rest] = args.map((word, index) =>
      absolute(word, index) ? word.replace(/^\/+/, "") || "." : word,
    );
    const result = await original(["-C", "/", flags.startsWith("-") ? flags : `-${flags}`, ...rest]);
    return { ...result, stderr: `tar: removing leading '/' from member names\n${result.stderr}` };
  }) as Command;
  const ours = Object.entries(tools).map(
    ([name, tool]) =>
      defineCommand(name, async (args, ctx) =>
        tool(args, { cwd: ctx.cwd, exported: { ...(ctx.exportedEnv ?? {}) }, stdin: String(ctx.stdin) }),
      ) as Command,
  );
  return [...ours, tar];
}
