import { expect, test } from "vitest";
import { drawPair, type Pair, theLeader } from "./draw-pair.ts";
import { runPair } from "./run-pair.ts";

/** .ci/run runs more of them: pnpm proof faults --managers --pairs. */
test("in five histories of two managers and one Lease, at most one acts", async () => {
  let changes = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const { problems, counts } = await runPair(drawPair(seed));
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    changes += counts.changes ?? 0;
  }
  // The histories exercised something: the leader changes.
  expect(changes).toBeGreaterThan(7);
}, 300_000);

test("a blocked event loop gives up before the other starts", async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const lines: string[] = [];
    const { problems, counts } = await runPair(blocked(seed), (line) => lines.push(line));
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(counts.lost).toBe(1);
    const [first, second] = lines.filter((line) => line.includes("ACTS")).map((line) => line.split(" ")[2]);
    expect(second).not.toBe(first);
    // The timers that fell due run now, in any order. No request leaves the process.
    const resumed = lines.findIndex((line) => line.includes('"resume"'));
    expect(lines.findIndex((line) => line.includes(`ACTS ${second}`))).toBeLessThan(resumed);
    expect(lines.slice(resumed).filter((line) => line.includes(`ACTS ${first}`))).toEqual([]);
    expect(lines.slice(resumed).join("\n")).toContain(`ENDED ${first}: LeadershipLostError`);
  }
}, 300_000);

/**
 * The leader's event loop is blocked for half a minute during a reconcile. By then the other one has the
 * Lease.
 */
function blocked(seed: number): Pair {
  const drawn = drawPair(seed);
  return {
    ...drawn,
    processes: [
      { rate: 1, offset: 0 },
      { rate: 1, offset: 0 },
    ],
    // External answers are late, so the reconcile is still running.
    ...{ slow: 2_500, dying: 20_000 },
    steps: [
      { do: "change", change: { do: "put", site: 0, size: 1 } },
      { do: "wait", ms: 20_000 },
      { do: "change", change: { do: "put", site: 0, size: 2 } },
      { do: "wait", ms: 100 },
      { do: "pause", who: theLeader },
      { do: "wait", ms: 30_000 },
      { do: "resume", who: theLeader },
      { do: "wait", ms: 10_000 },
    ],
  };
}
