import { expect, test } from "vitest";
import { drawPair, type Pair, theLeader } from "./draw-pair.ts";
import { runPair } from "./run-pair.ts";

/** More of them, in .ci/run too: pnpm proof faults --managers --pairs. A failure names its seed. */
test("five histories of two managers and one Lease: never two that act", async () => {
  let changes = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const { problems, counts } = await runPair(drawPair(seed));
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    changes += counts.changes ?? 0;
  }
  // They are worth something: the leader changes.
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
    // What had fallen due runs now, in any order: nothing of it leaves the process.
    const resumed = lines.findIndex((line) => line.includes('"resume"'));
    expect(lines.findIndex((line) => line.includes(`ACTS ${second}`))).toBeLessThan(resumed);
    expect(lines.slice(resumed).filter((line) => line.includes(`ACTS ${first}`))).toEqual([]);
    expect(lines.slice(resumed).join("\n")).toContain(`ENDED ${first}: LeadershipLostError`);
  }
}, 300_000);

/** The leader's event loop stands still for half a minute while it reconciles: the other has the Lease by then. */
function blocked(seed: number): Pair {
  const drawn = drawPair(seed);
  return {
    ...drawn,
    processes: [
      { rate: 1, offset: 0 },
      { rate: 1, offset: 0 },
    ],
    // Answers from outside are late: it is in the middle of a reconcile.
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
