import { retryAfterOf, type Seen, type WitnessListener } from "./witness.ts";

/**
 * The hot-loop oracle. While the informer's version stays, back-off bounds its requests: a few at once, then
 * twice as long between tries, and about every 15 s in the end. One try may take three requests (a stream of
 * initial events, the list that replaces it, a watch). Pages after the first do not count. No request comes
 * before a Retry-After has passed.
 */
export function createRequestRate(
  known: () => string,
  onProblem: (problem: string) => void,
): Pick<WitnessListener, "asked" | "refused"> {
  let version = "";
  let since = 0;
  let count = 0;
  let notBefore = { at: 0, by: "" };
  let reported = false;

  return {
    asked({ verb, at, query }: Seen): void {
      if (verb !== "list" && verb !== "watch") return;
      if (at < notBefore.at) {
        onProblem(
          `asked ${Math.round(notBefore.at - at)} ms before the Retry-After of a ${notBefore.by} has passed`,
        );
      }
      if (query.continue) return;
      if (known() !== version) {
        version = known();
        since = at;
        count = 0;
      }
      count++;
      const waited = at - since;
      const tries = 3 + Math.log2(1 + waited / 400) + waited / 15_000;
      if (count > 3 * tries && !reported) {
        reported = true;
        onProblem(`${count} requests in ${Math.round(waited)} ms without a new version: a hot loop`);
      }
    },
    refused(seen): void {
      const { verb, at, outcome } = seen;
      if (verb !== "list" && verb !== "watch") return;
      // The time of the answer counts: it is that of the request, or later.
      const until = at + retryAfterOf(seen);
      if (until > notBefore.at) notBefore = { at: until, by: `${verb}: ${outcome}` };
    },
  };
}
