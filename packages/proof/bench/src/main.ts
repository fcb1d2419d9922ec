/** `pnpm bench NAME`. Figures are printed, never asserted: they belong to the machine that measured them. */
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { benchApiServer } from "./apiserver/apiserver.ts";
import { benchHelm } from "./helm/helm.ts";
import { benchInformers } from "./informers/informers.ts";
import { benchReconcile } from "./reconcile/reconcile.ts";
import { benchStartup } from "./startup.ts";

interface InformersFlags {
  runs: number;
  only: string[];
  quick: boolean;
  write?: string | true;
}

/** The folder of the figures in the README of informers. */
const informersFolder = fileURLToPath(new URL("../../../sdk/informers/bench", import.meta.url));
/** The folder of those in the README of controller-runtime. */
const reconcileFolder = fileURLToPath(new URL("../../../sdk/controller-runtime/bench", import.meta.url));

const helmReadme = fileURLToPath(new URL("../../../sdk/helm-operator/README.md", import.meta.url));

const program = new Command("bench").description("Measures the documentation's figures, beside their peers.");

program
  .command("startup")
  .description("the time to the first answered request")
  .option("--runs <number>", "the number of measurements of each subject", positive, 5)
  .action(({ runs }: { runs: number }) =>
    benchStartup({ runs, env: process.env, print: (line) => console.log(line) }),
  );

program
  .command("apiserver")
  .description("creates, reads, lists, watches and memory under load")
  .option("--runs <number>", "the number of measurements of each subject", positive, 3)
  .action(({ runs }: { runs: number }) =>
    benchApiServer({ runs, env: process.env, print: (line) => console.log(line) }),
  );

program
  .command("informers")
  .description("sync, events, latency and memory of informers, ours and their peers")
  .option("--runs <number>", "the number of measurements of each subject", positive, 5)
  .option("--only <names>", "only these subjects, separated by commas", (text: string) => text.split(","), [])
  .option("--quick", "small numbers of everything: only shows that it works", false)
  .option("--write [folder]", "write informers.json, .md and .svg there")
  .action(async ({ runs, only, quick, write }: InformersFlags) => {
    const options = { runs, only, quick, env: process.env, signal: untilStopped() };
    const folder = write === true ? informersFolder : write;
    await benchInformers({ ...options, write: folder, print: (line) => console.log(line) });
  });

program
  .command("reconcile")
  .description(
    "an operator of ours beside one on Go's controller-runtime, from its start until it has settled",
  )
  .option("--runs <number>", "the number of measurements of each subject", positive, 3)
  .option("--only <names>", "only these subjects, separated by commas", (text: string) => text.split(","), [])
  .option("--long", "also 10,000 objects with one worker, which takes minutes more", false)
  .option("--quick", "few objects: only shows that it works", false)
  .option("--write [folder]", "write reconcile.json, .md and .svg there")
  .action(async ({ write, ...flags }: InformersFlags & { long: boolean }) => {
    const folder = write === true ? reconcileFolder : write;
    const print = (line: string) => console.log(line);
    await benchReconcile({ ...flags, write: folder, env: process.env, print, signal: untilStopped() });
  });

program
  .command("helm")
  .description("a reconcile of an unchanged release beside a bare helm upgrade --dry-run=server")
  .option("--runs <number>", "the number of measurements of each subject", positive, 3)
  .option("--quick", "few of everything: only shows that it works", false)
  .option("--write", "write the figures into the README of helm-operator", false)
  .action(async ({ runs, quick, write }: { runs: number; quick: boolean; write: boolean }) => {
    const options = { runs, quick, print: (line: string) => console.log(line), signal: untilStopped() };
    await benchHelm({ ...options, write: write ? helmReadme : undefined });
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

function untilStopped(): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error("stopped"));
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  return stop.signal;
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("expected a positive whole number.");
}
