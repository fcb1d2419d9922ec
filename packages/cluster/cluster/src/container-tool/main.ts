/** `container-tool`: docker's build, push, load and their kin for the embedded cluster, without Docker. */
import { Command, CommanderError } from "commander";
import { UserError } from "../user-error.ts";
import { addBuild } from "./commands/build.ts";
import { addImages } from "./commands/images.ts";
import { addPush } from "./commands/push.ts";
import { refuseOthers } from "./commands/refuse.ts";
import { DockerfileError } from "./dockerfile.ts";

const program = new Command("container-tool")
  .description(
    "Images for the embedded cluster, without Docker: build reads a Dockerfile for what to copy and what to start, and runs nothing of it; a Pod of such an image is a process of this machine's Node.",
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
