import { type ImageStore, parseImageReference } from "@operator-path/kubelet/local-images";
import type { Command } from "commander";
import { UserError } from "../../user-error.ts";
import { findStore } from "../find-store.ts";
import { heldImage, otherImageHeld } from "../held-image.ts";
import { pushVariable } from "../path.ts";

/** `push <name>…`, `load <name>…` and `save <name>… -o <file>` */
export function addPush(program: Command): void {
  program
    .command("push")
    .description("let the cluster's nodes pull an image by its name; contacts no registry")
    .argument("<name...>")
    .option("-q, --quiet", "print only the name")
    .option("-a, --all-tags", "ignored: name each tag")
    .action(async (names: string[]) => {
      const store = await findStore();
      for (const text of names) {
        const { name, tag } = full(text);
        const built = store.named("built", name);
        if (built === undefined) {
          throw new UserError(
            `An image does not exist locally with the tag: ${text}. Build it first: container-tool build -t ${text} .`,
          );
        }
        store.name("pushed", name, built.digest);
        if (process.env[pushVariable] === "load") store.name("loaded", name, built.digest);
        console.log(
          `Pushing to the nodes of this cluster, not to a registry [${name.slice(0, name.length - (tag?.length ?? -1) - 1)}]`,
        );
        console.log(`${tag}: digest: ${built.digest} size: ${store.image(built.digest)?.size ?? 0}`);
        const held = heldImage(store, name);
        if (held !== undefined && held !== built.digest && tag !== "latest")
          console.error(otherImageHeld(name));
      }
    });
  program
    .command("load")
    .description("put images on every node of the cluster, so that no node has to pull them (kind load)")
    .argument("[name...]", "built images")
    .option("-i, --input <file>", "load the images of an archive that save wrote")
    .action(async (names: string[], { input }: { input?: string }) => {
      if (names.length === 0 && input === undefined)
        throw new UserError("name an image, or an archive with -i");
      const store = await findStore();
      const images = names.map((text) => ({ ...builtImage(store, text), text }));
      // Loaded on demand, so that the other commands start sooner.
      const { readImages } = await import("../archive.ts");
      for (const image of input === undefined ? [] : await readImages(store, input)) {
        store.name("built", image.name, image.digest);
        images.push({ ...image, text: image.name });
        if (image.left.length > 0)
          console.error(
            `${image.name}: ${image.left.join(", ")} is not in the archive: a program that needs it does not start. Build the image here instead`,
          );
      }
      for (const { text, name, digest } of images) {
        store.name("loaded", name, digest);
        console.log(`Loaded image: ${text}, ${digest}, on every node of the cluster`);
        if (full(name).tag === "latest")
          console.error(
            `WARNING: ${text}: nodes pull :latest again for each Pod. Give the image another tag, push it too, or set \`imagePullPolicy: IfNotPresent\` in its Pods`,
          );
      }
    });
  program
    .command("save")
    .description("write images to an archive for load -i, without the node_modules that they refer to")
    .argument("<name...>")
    .requiredOption("-o, --output <file>", "the archive, a tar file")
    .action(async (names: string[], { output }: { output: string }) => {
      const store = await findStore();
      const built = names.map((text) => builtImage(store, text).name);
      const { saveImages } = await import("../archive.ts");
      await saveImages(store, built, output);
    });
}

function builtImage(store: ImageStore, text: string) {
  const { name } = full(text);
  const built = store.named("built", name);
  if (built) return { name, digest: built.digest };
  throw new UserError(
    `image: "${text}" not present locally. Build it first: container-tool build -t ${text} .`,
  );
}

/** @throws UserError if it is not a valid image name */
export function full(text: string) {
  const reference = parseImageReference(text);
  if (reference === undefined) throw new UserError(`invalid reference format: ${text}`);
  return reference;
}
