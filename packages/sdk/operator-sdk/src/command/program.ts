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
 * Runs operator-sdk.
 *
 * @param args the command line without the program's name
 * @returns the exit code: 0, or 1 after one line on stderr; no file is written then
 */
export async function runOperatorSdk(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = createProgram(surroundings);
  try {
    // As in Go, the name alone prints the help.
    const words = args.length === 0 ? ["help"] : normalizeArguments(args, program);
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommandError) surroundings.stderr(`Error: ${error.message}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode === 0) return 0;
    else if (error.code !== "reported")
      surroundings.stderr(`Error: ${explainMistake(error, program, args)}\n`);
    return 1;
  }
}

/** Returns the commands, without running one. Each command loads its modules when it runs. */
export function createProgram(surroundings: Surroundings): Command {
  const { stdout } = surroundings;
  const program = new Command("operator-sdk")
    .description("Scaffolds operators in TypeScript: projects, APIs, webhooks.")
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: () => {}, outputError: () => {} });

  program
    .command("init")
    .description("create a project in this folder")
    .addOption(valueOption("--domain <domain>", "domain of your groups (default: my.domain)", checkDomain))
    .addOption(
      valueOption("--repo <path>", "repository of the project (default: the project's name)", checkRepo),
    )
    .addOption(valueOption("--project-name <name>", "default: the folder's name", checkProjectName))
    .addOption(
      valueOption(
        "--plugins <name>",
        "typescript/v1 (default), or hybrid.helm.sdk.operatorframework.io to add Helm charts",
      ),
    )
    .addOption(valueOption("--project-version <number>", "the format of PROJECT: 3"))
    .addHelpText("after", initExamples)
    .action(async (flags) => (await import("./init.ts")).init(flags, surroundings));

  const create = program.command("create").description("add an API or a webhook to the project");
  withKind(
    create.command("api").description("add a kind, its controller, or both; or a kind with a Helm chart"),
    // createApi checks which form the group must have.
    (group) => (isFullGroup(group) ? group : checkGroup(group)),
  )
    .addOption(
      valueOption("--plugins <name>", "typescript/v1 (default), or helm.sdk.operatorframework.io/v1"),
    )
    .addOption(
      valueOption(
        "--helm-chart <chart>",
        "a folder, a .tgz, <repository>/<chart> or a URL (default: a new chart)",
        checkLine("--helm-chart"),
      ),
    )
    .addOption(
      valueOption("--helm-chart-repo <url>", "the repository of the chart", checkLine("--helm-chart-repo")),
    )
    .addOption(
      valueOption(
        "--helm-chart-version <version>",
        "default: the newest version",
        checkLine("--helm-chart-version"),
      ),
    )
    .addOption(
      valueOption(
        "--external-api-path <crd.yaml>",
        "the CustomResourceDefinition of another project's kind, to add a controller for it",
        checkLine("--external-api-path"),
      ),
    )
    .option("--resource", "add the types and their files in config/")
    .option("--no-resource", "add a controller only")
    .option("--controller", "add the controller and its test")
    .option("--no-controller", "add types only")
    .option("--namespaced", "a namespaced kind (default, or as in other versions)")
    .option("--no-namespaced", "a cluster-scoped kind")
    .option("--force", "overwrite existing files of the kind")
    .addHelpText("after", apiExamples)
    .action(async (flags) => (await import("./create-api.ts")).createApi(flags, surroundings));

  withKind(create.command("webhook").description("add webhooks for an existing kind"))
    .option("--defaulting", "set defaults in code")
    .option("--programmatic-validation", "validate objects in code")
    .option("--conversion", "convert other versions; this one is the hub")
    .option("--force", "overwrite existing files of the webhooks")
    .action(async (flags) => (await import("./create-webhook.ts")).createWebhook(flags, surroundings));

  program
    .command("edit")
    .description("change the settings of the project")
    .option("--multigroup", "several groups, in api/<group> and controllers/<group>")
    .option("--no-multigroup", "one group")
    .addOption(
      valueOption("--image <name=image>", "the image of the manager: controller=example.com/operator:v1"),
    )
    .action(async (flags) => (await import("./edit.ts")).edit(flags, surroundings));

  program
    .command("generate")
    .description("generate manifests and code from types and markers, as make manifests generate does")
    .action(async () => {
      const { generate } = await import("./generate.ts");
      // It has already printed a line for each problem.
      if (generate(surroundings) !== 0) throw new CommanderError(1, "reported", "");
    });

  program
    .command("completion")
    .description("print a script for shell completion")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) => stdout((await import("./completion.ts")).completion(shell, program)));

  program
    .command("version")
    .description("print the version")
    .action(() =>
      stdout(
        `operator-sdk version: "v${version}", kubernetes version: "${kubernetesVersion}", node version: "${process.version}", platform: "${process.platform}", architecture: "${process.arch}"\n`,
      ),
    );
  return program;
}

function withKind(command: Command, checkFlag = checkGroup): Command {
  return command
    .addOption(valueOption("--group <group>", "the API group without its domain, such as cache", checkFlag))
    .addOption(valueOption("--version <version>", "the API version, such as v1alpha1", checkVersion))
    .addOption(valueOption("--kind <kind>", "the kind, such as Memcached", checkKind));
}
