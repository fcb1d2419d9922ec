/** Runs in a process of its own: an embedded API server, until the parent has ended or sends a stop. */
import { startApiServer } from "@operator-path/apiserver";

const server = await startApiServer();
process.send?.({ port: server.port, token: server.token });
// With the server stopped and the channel closed, nothing keeps the process.
const end = async () => {
  process.removeAllListeners("disconnect");
  await server.stop();
  if (process.connected) process.disconnect?.();
};
process.once("SIGTERM", end);
process.once("disconnect", end);
