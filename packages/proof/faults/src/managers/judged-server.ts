import { deployments, type Transport } from "@operator-path/client";
import type { SimulatedServer } from "../server/simulated-server.ts";
import type { WriteJudge } from "./judges/judge-writes.ts";
import { isEffect } from "./life.ts";
import { sites } from "./reference/site.ts";

export interface JudgedServerOptions {
  server: SimulatedServer;
  judge: WriteJudge;
  note(line: string): void;
  onRefused?(): void;
  /** Called after each successful write. */
  onWritten?(key: string): void;
}

/** The server as operators reach it: judges the effect of each write, one after the other. */
export function createJudgedServer({
  server,
  judge,
  note,
  onRefused = () => {},
  onWritten = () => {},
}: JudgedServerOptions): Transport {
  return {
    ...server,
    async request(request) {
      if (!isEffect(request)) return server.request(request);
      // The server performs a write before its promise resolves, so the revisions in between belong to it.
      const before = server.revisions.version;
      const answer = server.request(request);
      const revisions = [sites, deployments].flatMap(({ plural }) =>
        server.revisions.between(plural, before, server.revisions.version),
      );
      const refusal = await answer.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal) onRefused();
      note(`${request.method} ${request.path} ${refusal ?? `→ ${revisions.map(({ version }) => version)}`}`);
      judge.done(request, revisions, refusal);
      for (const { key } of revisions) onWritten(key);
      return answer;
    },
  };
}
