/**
 * `container-tool`: docker's build, push, load and similar commands for the embedded cluster, without Docker.
 */
import { Command, CommanderError } from "commander";
import { UserError } from "../user-error.ts";
import { addBuild } from "./commands/build.ts";
import { addImages } from "./commands/images.ts";
import { addPush } from "./commands/push.ts";
import { DockerfileError } from "./dockerfile.ts";

/** Docker commands that this tool lacks, with the alternative. */
const refused: Readonly<Record<string, string>> = {
  run: "a container runs in a Pod here: kubectl run <name> --image=<image>",
  ps: "see what runs with kubectl get pods -A",
  exec: "use kubectl exec -it <pod> -- <command>",
  logs: "use kubectl logs <pod>",
  stop: "use kubectl delete pod <pod>",
  rm: "use kubectl delete pod <pod>",
  pull: "nothing is pulled: FROM node:… is this machine's Node, and the cluster's nodes take pushed images",
  login:
    "no registry is contacted: push makes an image known to this cluster only. For a registry, use docker",
  logout: "no registry is contacted",
  buildx:
    "there is one platform, this machine's: use container-tool build. For images of several platforms, use docker",
  compose: "use kubectl apply",
  inspect: "use container-tool images, which lists the images",
  import: "use container-tool load -i <file>, which loads archives of `container-tool save`",
  system: "use container-tool rmi, which removes images; stopping the cluster removes all",
};

const program = new Command("container-tool")
  .description(
    "Images for the embedded cluster, without Docker. build reads a Dockerfile for the files to copy and the command to start, and runs none of its programs. A Pod of such an image is a process of this machine's Node.",
  )
  .showHelpAfterError(false)
  .configureHelp({ showGlobalOptions: true })
  .exitOverride();
addBuild(program);
addPush(program);
addImages(program);
refuseOthers(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    const expected = error instanceof UserError || error instanceof DockerfileError;
    console.error(expected ? `error: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Reports a clear error instead of an unknown command. */
function refuseOthers(program: Command): void {
  for (const [name, instead] of Object.entries(refused)) {
    program
      .command(name, { hidden: true })
      .allowUnknownOption()
      .argument("[rest...]")
      .helpOption(false)
      .action(() => {
        throw new UserError(`container-tool has no ${name}: ${instead}`);
      });
  }
}
