import type { ProcessContext } from "../runtime/contracts.ts";
import { createTerminal } from "./terminal.ts";

/** sleep, with the suffixes of BusyBox and `infinity`. */
export async function sleep(context: ProcessContext, args: string[]): Promise<number> {
  const unit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
  let total = 0;
  for (const word of args) {
    const [, amount, suffix = "s"] = /^(\d*\.?\d+|infinity|inf)([smhd]?)$/.exec(word) ?? [];
    if (amount === undefined) {
      context.stderr(`sleep: invalid number '${word}'\n`);
      return 1;
    }
    total += amount.startsWith("inf")
      ? Number.POSITIVE_INFINITY
      : Number(amount) * (unit[suffix || "s"] ?? 1);
  }
  if (args.length === 0) {
    context.stderr("sleep: missing operand\n");
    return 1;
  }
  const until = context.clock.now() + total * 1000;
  // In steps, because a timer cannot run longer than 24 days.
  while (!context.signal.aborted && context.clock.now() < until) {
    await context.clock
      .sleep(Math.min(until - context.clock.now(), 2 ** 30), context.signal)
      .catch(() => undefined);
  }
  return 0;
}

/** cat without arguments: copies the input until it ends. */
export async function copy(context: ProcessContext): Promise<number> {
  if (!context.stdin) return 0;
  if (!context.tty) {
    for await (const chunk of context.stdin) await context.stdout(chunk);
    return 0;
  }
  const terminal = createTerminal(context.stdin, (text) => context.stdout(text));
  for (let line = await terminal.readLine(""); typeof line === "string"; line = await terminal.readLine(""))
    await context.stdout(`${line}\n`);
  return 0;
}

/** tail -f: prints the end of a file, and then everything that is appended. */
export async function tailFollow(context: ProcessContext, args: string[]): Promise<number> {
  const path = args.find((word) => !/^-|^\d+$/.test(word)) ?? "";
  const files = await context.container.filesystem();
  let seen = 0;
  while (!context.signal.aborted) {
    const text = await files.readFile(files.resolvePath(context.cwd, path)).catch(() => undefined);
    if (text === undefined && seen === 0) {
      context.stderr(`tail: can't open '${path}': No such file or directory\ntail: no files\n`);
      return 1;
    }
    if (text !== undefined && text.length > seen) {
      // The first output is the last ten lines, as with tail.
      const from = seen === 0 ? text.split("\n").slice(-11).join("\n") : text.slice(seen);
      await context.stdout(from);
    }
    seen = text?.length ?? seen;
    await context.clock.sleep(1000, context.signal).catch(() => undefined);
  }
  return 0;
}
