import { loadKubeConfig } from "@operator-path/client";
import { createManager, setupSignalHandler } from "@operator-path/controller-runtime";
import { debuggable, setupNotes } from "./debugging.ts";

const manager = createManager(loadKubeConfig(), {
  ...debuggable(process.env),
  cache: { namespaces: ["default"] },
});
setupNotes(manager);
await manager.start(setupSignalHandler());
