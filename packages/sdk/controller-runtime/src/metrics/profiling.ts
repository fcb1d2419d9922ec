import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { getHeapSnapshot } from "node:v8";
import type { Clock } from "@operator-path/client";
import type { Logger } from "../log/logger.ts";
import { type Profile, profileAllocations, profileCpu } from "./profile.ts";

export interface ProfilingContext {
  clock: Clock;
  log: Logger;
}

/** The duration of a profile without `?seconds=`. */
const defaultSeconds = 30;
const longest = 300;

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Returns handlers by path, as in Go's net/http/pprof, in the formats of Chrome's DevTools:
 *
 * - /debug/pprof/profile?seconds=30: where CPU time is spent (.cpuprofile)
 * - /debug/pprof/allocs?seconds=30: what allocated the memory that is still in use (.heapprofile)
 * - /debug/pprof/heap: everything in memory, including Secrets (.heapsnapshot). It pauses the process and
 *   needs as much memory again.
 *
 * Only one runs at a time: other requests get a 409. A profile ends when its client disconnects.
 */
export function profilingHandlers({ clock, log }: ProfilingContext): { [path: string]: RequestListener } {
  let busy: string | undefined;

  function oneAtATime(what: string, record: Answer): RequestListener {
    return async (request, response) => {
      if (request.method !== "GET") return refuse(response, 405, "only GET is allowed", { allow: "GET" });
      if (busy) return refuse(response, 409, `a ${busy} is already being taken: try again when it has ended`);
      busy = what;
      log.info({ path: request.url }, `Taking a ${what}`);
      try {
        await record(request, response);
      } finally {
        busy = undefined;
      }
    };
  }

  function profiled(profile: Profile, extension: string): Answer {
    return async (request, response) => {
      const seconds = secondsOf(request, defaultSeconds);
      if (seconds === undefined) {
        return refuse(response, 400, `seconds: set a number above 0, up to ${longest}`);
      }
      const disconnected = new AbortController();
      response.once("close", () => disconnected.abort(new Error("the client has disconnected")));
      const text = await profile(() => clock.sleep(seconds * 1000, disconnected.signal));
      if (disconnected.signal.aborted || text === undefined) return;
      response.writeHead(200, attachment(extension));
      response.end(text);
    };
  }

  return {
    "/debug/pprof/profile": oneAtATime("CPU profile", profiled(profileCpu, "cpuprofile")),
    "/debug/pprof/allocs": oneAtATime("profile of allocations", profiled(profileAllocations, "heapprofile")),
    "/debug/pprof/heap": oneAtATime("heap snapshot", async (request, response) => {
      if (secondsOf(request, 0) !== 0)
        return refuse(response, 400, "seconds: a heap snapshot has no duration");
      const snapshot = getHeapSnapshot();
      response.writeHead(200, attachment("heapsnapshot"));
      // A client that disconnects is not a failure.
      await pipeline(snapshot, response).catch((error: unknown) => {
        if (!response.destroyed) throw error;
      });
    }),
  };
}

function secondsOf(request: IncomingMessage, ifNone: number): number | undefined {
  const given = new URL(request.url ?? "/", "http://localhost").searchParams.get("seconds");
  if (given === null) return ifNone;
  const seconds = given.trim() === "" ? Number.NaN : Number(given);
  return seconds > 0 && seconds <= longest ? seconds : undefined;
}

/** DevTools and speedscope recognise profiles by their file names. */
function attachment(extension: string): { [header: string]: string } {
  return {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="operator.${extension}"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: { [header: string]: string } = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  response.end(`${text}\n`);
}
