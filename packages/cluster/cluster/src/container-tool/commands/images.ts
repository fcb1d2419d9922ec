import { parseImageReference } from "@operator-path/kubelet/local-images";
import type { Command } from "commander";
import { UserError } from "../../user-error.ts";
import { findStore } from "../find-store.ts";
import { full } from "./push.ts";

/** `images`, `rmi <name>…`, `tag <name> <new name>` */
export function addImages(program: Command): void {
  program
    .command("images")
    .description("list the built images, and whether the cluster's nodes can use them")
    .option("-q, --quiet", "print only digests")
    .action(async ({ quiet }: { quiet?: boolean }) => {
      const store = await findStore();
      const rows = store.names("built").map(({ name, digest, at }) => {
        const pushed = store.named("pushed", name)?.digest;
        const loaded = store.named("loaded", name)?.digest;
        const here = [pushed === digest ? "pushed" : "", loaded === digest ? "loaded" : ""]
          .filter(Boolean)
          .join(", ");
        const stale = pushed !== undefined && pushed !== digest ? "an older one is pushed" : "";
        const { repository = name, tag = "" } = parseImageReference(name) ?? {};
        const id = digest.slice("sha256:".length).slice(0, 12);
        const size = bytes(store.image(digest)?.size ?? 0);
        return [
          repository.replace(/^docker\.io\/(?:library\/)?/, ""),
          tag,
          id,
          ago(Date.now() - at),
          size,
          here || stale || "built only",
        ];
      });
      if (quiet) return console.log([...new Set(rows.map(([, , id]) => id))].join("\n"));
      console.log(table([["REPOSITORY", "TAG", "IMAGE ID", "CREATED", "SIZE", "CLUSTER"], ...rows]));
    });
  program
    .command("rmi")
    .description("remove names of images. Running Pods and the files stay until the cluster stops")
    .argument("<name...>")
    .option("-f, --force", "do not report missing names")
    .action(async (names: string[], { force }: { force?: boolean }) => {
      const store = await findStore();
      for (const text of names) {
        const { name } = full(text);
        const removed = (["built", "pushed", "loaded"] as const).map((list) => store.unname(list, name));
        if (removed.includes(true)) console.log(`Untagged: ${text}`);
        else if (!force) throw new UserError(`No such image: ${text}`);
      }
    });
  program
    .command("tag")
    .description("give an image another name")
    .argument("<name>")
    .argument("<new name>")
    .action(async (from: string, to: string) => {
      const store = await findStore();
      const built = store.named("built", full(from).name);
      if (built === undefined) throw new UserError(`No such image: ${from}`);
      store.name("built", full(to).name, built.digest);
    });
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd((widths[i] ?? 0) + 3))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats sizes as docker does: `812B`, `1.2kB`, `34.5MB`. */
export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))}${units[unit]}`;
}

/** Formats times as docker does: `5 minutes ago`. */
function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 1) return "Less than a second ago";
  const steps: [number, string][] = [
    [60, "second"],
    [60, "minute"],
    [24, "hour"],
    [Number.POSITIVE_INFINITY, "day"],
  ];
  let value = seconds;
  for (const [size, unit] of steps) {
    if (value < size) return `${value} ${unit}${value === 1 ? "" : "s"} ago`;
    value = Math.floor(value / size);
  }
  return "";
}
