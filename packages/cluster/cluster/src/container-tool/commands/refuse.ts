import type { Command } from "commander";
import { UserError } from "../../user-error.ts";

/** What docker has and this tool has not, each with what to do instead. */
const refused: Readonly<Record<string, string>> = {
  run: "a container runs in a Pod here: kubectl run <name> --image=<image>",
  ps: "see what runs with kubectl get pods -A",
  exec: "use kubectl exec -it <pod> -- <command>",
  logs: "use kubectl logs <pod>",
  stop: "use kubectl delete pod <pod>",
  rm: "use kubectl delete pod <pod>",
  pull: "nothing is pulled: FROM node:… is this machine's Node, and the cluster's nodes take what was pushed",
  login: "no registry is asked: push makes an image known to this cluster only. For a registry, use docker",
  logout: "no registry is asked",
  buildx:
    "there is one platform, this machine's: use container-tool build. For images of several platforms, use docker",
  compose: "use kubectl apply",
  inspect: "container-tool images lists what there is",
  import: "archives that `container-tool save` wrote are taken in by container-tool load -i <file>",
  system: "container-tool rmi removes images; with the cluster all of them go",
};

/** A clear no, instead of an unknown command. */
export function refuseOthers(program: Command): void {
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
