import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { examine } from "../examine.ts";
import { thisMachine } from "../machine.ts";
import { createStandIn } from "../testing/stand-in.ts";
import { fixedPorts, portsProbe } from "./ports.ts";

test("reports a taken port, with the command that shows its program", async () => {
  await using standIn = await createStandIn();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const probe = portsProbe([{ host: "127.0.0.1", port, whose: "a test", neededFor: ["embedded"] }]);
  const machine = standIn.as({ tryPort: thisMachine({}).tryPort });
  const [taken] = await examine(machine, { probes: [probe] });
  expect(taken).toMatchObject({
    state: "weak",
    found: `taken: 127.0.0.1:${port}`,
    details: [`127.0.0.1:${port} (EADDRINUSE) is needed by a test.`],
    mend: { commands: [`sudo ss -ltnp 'sport = :${port}'`] },
  });
  server.close();
  await once(server, "close");
  const [free] = await examine(machine, { probes: [probe] });
  expect(free).toMatchObject({ state: "ok", found: `free: ${port}` });
});

test("reports that macOS has no 127.20.0.1, with its fix", async () => {
  await using standIn = await createStandIn();
  const tryPort = async (host: string) => (host === "127.0.0.1" ? undefined : "EADDRNOTAVAIL");
  const [finding] = await examine(standIn.as({ platform: "darwin", tryPort }), {
    probes: [portsProbe(fixedPorts)],
  });
  expect(finding).toMatchObject({
    state: "weak",
    found: "no address 127.20.0.1",
    mend: { commands: ["sudo ifconfig lo0 alias 127.20.0.1 up"] },
  });
});
