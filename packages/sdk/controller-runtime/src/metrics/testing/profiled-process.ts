import { createServer } from "node:http";
import { systemClock } from "@operator-path/client";
import { Registry } from "prom-client";
import { createLogger } from "../../log/create-logger.ts";
import { profilingHandlers } from "../profiling.ts";
import { answerScrape } from "../scrape.ts";

// Runs in a process of its own: a snapshot of a test process takes minutes. Prints its port. /burn and /keep
// create load.

class FoundInTheSnapshot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}
const retained: FoundInTheSnapshot[] = [];

function burnForTheProfile(): void {
  const end = performance.now() + 50;
  while (performance.now() < end) Math.hypot(end, 2);
}

function keepForTheProfile(): void {
  for (let index = 0; index < 20_000; index++) retained.push(new FoundInTheSnapshot(index));
}

const log = createLogger({ level: "silent" });
const work = { "/burn": burnForTheProfile, "/keep": keepForTheProfile };
const handlers = Object.entries(work).map(
  ([path, run]) =>
    [
      path,
      (_: unknown, response: { end(): void }) => {
        run();
        response.end();
      },
    ] as const,
);
const scrape = {
  ...{ registry: new Registry(), access: undefined, log },
  extraHandlers: new Map([...Object.entries(profilingHandlers({ clock: systemClock, log })), ...handlers]),
};
const server = createServer((request, response) => void answerScrape(scrape, request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : address);
});
