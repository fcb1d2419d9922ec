/**
 * Runs in a process of its own: `record FILE RESOURCE COUNT` writes a recording, `serve FILE RESOURCE COUNT`
 * serves it.
 */
import { startRecordedServer } from "./recorded-server.ts";
import { type ResourceName, readRecording, writeRecording } from "./recording.ts";

const [what, file, resource, count] = process.argv.slice(2) as [
  "record" | "serve",
  string,
  ResourceName,
  string,
];
// Ends with the parent.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
if (what === "record") {
  await writeRecording(file, resource, Number(count));
  process.removeAllListeners("disconnect");
  process.disconnect?.();
} else {
  const { port } = await startRecordedServer(await readRecording(file, resource, Number(count)));
  process.send?.({ port });
}
