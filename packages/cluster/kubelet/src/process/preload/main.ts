// Loaded before a container's own program, in its process. It makes the process see its container where Node has no
// means of its own: who it is, its files below `/`, its Pod's network. It imports nothing but Node.
import { isMainThread } from "node:worker_threads";
import { openChannel } from "./channel.ts";
import { askForTools } from "./child-processes.ts";
import { mapFiles } from "./files.ts";
import { assumeIdentity } from "./identity.ts";
import { confineDatagrams } from "./loopback.ts";
import { mapNetwork } from "./network.ts";
import { createPaths } from "./paths.ts";
import { reportReconciles } from "./reconciles.ts";
import type { PreloadSettings } from "./settings.ts";
import { prepareThread, prepareWorkers } from "./workers.ts";

// They come in the address of this module, which a worker thread loads as well: in the environment they would be the program's to see.
const text = Buffer.from(new URL(import.meta.url).searchParams.get("settings") ?? "", "base64url").toString();
const settings = JSON.parse(text) as PreloadSettings;
if (isMainThread) {
  const channel = openChannel(3);
  mapNetwork(settings, channel);
  confineDatagrams();
  prepareWorkers(settings, import.meta.url);
  const tools = settings.tools && askForTools(channel, settings.tools);
  mapFiles(createPaths(settings));
  assumeIdentity(settings, true, tools?.kill);
  if (settings.reconciles) reportReconciles(channel);
  channel.tell({ ask: "ready" });
} else prepareThread(settings, import.meta.url);
