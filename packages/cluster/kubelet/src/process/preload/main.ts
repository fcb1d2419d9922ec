import { openChannel, reportReconciles } from "./channel.ts";
import { askForTools } from "./child-processes.ts";
import { confineDatagrams } from "./datagrams.ts";
import { mapFiles } from "./files.ts";
import { assumeIdentity } from "./identity.ts";
import { closeInternals } from "./internals.ts";
import { mapNetwork } from "./network.ts";
import { createPaths } from "./paths.ts";
import type { PreloadSettings } from "./protocol.ts";
import { guardSockets } from "./sockets.ts";

// Loaded before a container's program, in the same process. Shows the process its container where Node has no
// option for it: its identity, its files below `/`, its Pod's network. Imports nothing but Node.

// The settings are in this module's URL. In the environment, the program would see them.
const text = Buffer.from(new URL(import.meta.url).searchParams.get("settings") ?? "", "base64url").toString();
const settings = JSON.parse(text) as PreloadSettings;
const channel = openChannel(3);
closeInternals();
mapNetwork(settings, channel, guardSockets(settings.passThrough));
confineDatagrams();
const tools = settings.tools && askForTools(channel, settings.tools);
mapFiles(createPaths(settings));
assumeIdentity(settings, tools?.kill);
if (settings.reconciles) reportReconciles(channel);
channel.send({ ask: "ready" });
