import { Command, CommanderError } from "commander";
import { CommandError } from "../command-error.ts";
import {
  checkDomain,
  checkGroup,
  checkKind,
  checkProjectName,
  checkRepo,
  checkVersion,
  isFullGroup,
} from "../project/names.ts";
import { kubernetesVersion, version } from "../version.ts";
import { explainMistake } from "./command-line-mistake.ts";
import { apiExamples, initExamples } from "./examples.ts";
import { checkLine, normalizeArguments, valueOption } from "./flags.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs the command line `args` (without the program's name).
 *
 * @returns the exit code: 0, or 1 after one line on stderr; then nothing was written
 */
export async function runOperatorSdk(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = createProgram(surroundings);
  try {
    // As Go's: the name alone says what there is.
    const words = args.length === 0 ? ["help"] : normalizeArguments(args, program);
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommandError) surroundings.stderr(`Error: ${error.message}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode === 0) return 0;
    else if (error.code !== "said") surroundings.stderr(`Error: ${explainMistake(error, program, args)}\n`);
    return 1;
  }
}

/** The commands, as yet without a line to run. Each loads what it needs when it is run. */
export function createProgram(surroundings: Surroundings): Command {
  const { stdout } = surroundings;
  const program = new Command("operator-sdk")
    .description("Scaffolds operators in TypeScript: projects, APIs, webhooks.")
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: () => {}, outputError: () => {} });

  program
    .command("init")
    .description("begin a project in this folder")
    .addOption(
      valueOption("--domain <domain>", "of your groups: example.com (default: my.domain)", checkDomain),
    )
    .addOption(
      valueOption("--repo <path>", "where the project's code is (default: the project's name)", checkRepo),
    )
    .addOption(valueOption("--project-name <name>", "default: the folder's name", checkProjectName))
    .addOption(
      valueOption(
        "--plugins <name>",
        "typescript/v1 (default), or hybrid.helm.sdk.operatorframework.io: with Helm charts, too",
      ),
    )
    .addOption(valueOption("--project-version <number>", "the format of PROJECT; there is one"))
    .addHelpText("after", initExamples)
    .action(async (flags) => (await import("./init.ts")).init(flags, surroundings));

  const create = program.command("create").description("add an API or a webhook to the project");
  withKind(
    create.command("api").description("add a kind, its controller, or both; or a kind with a Helm chart"),
    // createApi knows which one it has to be.
    (group) => (isFullGroup(group) ? group : checkGroup(group)),
  )
    .addOption(
      valueOption("--plugins <name>", "typescript/v1 (default), or helm.sdk.operatorframework.io/v1"),
    )
    .addOption(
      valueOption(
        "--helm-chart <chart>",
        "a folder, a .tgz, <repository>/<chart> or a URL (default: a new one)",
        checkLine("--helm-chart"),
      ),
    )
    .addOption(
      valueOption("--helm-chart-repo <url>", "the repository that has it", checkLine("--helm-chart-repo")),
    )
    .addOption(
      valueOption("--helm-chart-version <version>", "default: the newest", checkLine("--helm-chart-version")),
    )
    .addOption(
      valueOption(
        "--external-api-path <crd.yaml>",
        "the CustomResourceDefinition of another project's kind, for a controller of it",
        checkLine("--external-api-path"),
      ),
    )
    .option("--resource", "the types, and what is in config/ for them")
    .option("--no-resource", "a controller only")
    .option("--controller", "the controller and its test")
    .option("--no-controller", "types only")
    .option("--namespaced", "objects are in namespaces (default, or as in other versions)")
    .option("--no-namespaced", "objects belong to the cluster")
    .option("--force", "write files anew that are there already")
    .addHelpText("after", apiExamples)
    .action(async (flags) => (await import("./create-api.ts")).createApi(flags, surroundings));

  withKind(create.command("webhook").description("add webhooks for a kind that is there"))
    .option("--defaulting", "fill in what nobody has said")
    .option("--programmatic-validation", "refuse what code says is wrong")
    .option("--conversion", "convert other versions; this one is the hub")
    .option("--force", "write files anew that are there already")
    .action(async (flags) => (await import("./create-webhook.ts")).createWebhook(flags, surroundings));

  program
    .command("edit")
    .description("change what the project is")
    .option("--multigroup", "several groups, in api/<group> and controllers/<group>")
    .option("--no-multigroup", "one group")
    .addOption(
      valueOption("--image <name=image>", "what config/manager deploys: controller=example.com/operator:v1"),
    )
    .action(async (flags) => (await import("./edit.ts")).edit(flags, surroundings));

  program
    .command("generate")
    .description("make what markers and types say: as make manifests generate does")
    .action(async () => {
      const { generate } = await import("./generate.ts");
      // Its problems are said already, a line each.
      if (generate(surroundings) !== 0) throw new CommanderError(1, "said", "");
    });

  program
    .command("completion")
    .description("print a script that completes these commands: operator-sdk completion bash")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) => stdout((await import("./completion.ts")).completion(shell, program)));

  program
    .command("version")
    .description("say which version this is")
    .action(() =>
      stdout(
        `operator-sdk version: "v${version}", kubernetes version: "${kubernetesVersion}", node version: "${process.version}", platform: "${process.platform}", architecture: "${process.arch}"\n`,
      ),
    );
  return program;
}

function withKind(command: Command, checkFlag = checkGroup): Command {
  return command
    .addOption(valueOption("--group <group>", "without the domain: cache", checkFlag))
    .addOption(valueOption("--version <version>", "v1alpha1", checkVersion))
    .addOption(valueOption("--kind <kind>", "Memcached", checkKind));
}
