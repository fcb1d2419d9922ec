import type { Fate } from "../../proxy/fate.ts";
import type { TcpProxy } from "../../proxy/tcp-proxy.ts";
import type { Random } from "../../random.ts";

/** The faults of the subject's network during the soak. */
export interface Weather {
  readonly blackouts: number;
  /**
   * Starts no further blackout; connections keep their fates. Returns false during a blackout, which does not
   * pause.
   */
  pause(): boolean;
  resume(): void;
}

/**
 * Ends every connection within a minute and a half. Some are slow, but none so slow that it could never catch
 * up.
 */
export function drawSoakFate(random: Random): Fate {
  const fate = random.weighted<() => Fate>([
    [6, () => ({})],
    [2, () => ({ delay: random.int(1, 30) })],
    [2, () => ({ pieces: random.pick([500, 4_000]) })],
  ])();
  const how = random.weighted<NonNullable<Fate["end"]>["how"]>([
    [4, "reset"],
    [4, "close"],
    [2, "silence"],
    [1, "lost"],
  ]);
  fate.end = { how, afterMs: random.int(3_000, 90_000) };
  return fate;
}

/**
 * Blackouts, two to eight minutes apart: every connection breaks, and new ones are refused for a while. Every
 * third blackout lasts longer than the server's watch history, so that watches receive a 410.
 */
export function startWeather(proxy: TcpProxy, random: Random): Weather {
  let blackouts = 0;
  let dark = false;
  let due = performance.now() + random.int(60_000, 180_000);
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    dark = true;
    blackouts++;
    proxy.refuse(true);
    proxy.reset();
    timer = setTimeout(end, blackouts % 3 === 0 ? 200_000 : random.int(1_000, 20_000));
  }
  function end(): void {
    dark = false;
    proxy.refuse(false);
    due = performance.now() + random.int(120_000, 480_000);
    wait();
  }
  function wait(): void {
    timer = setTimeout(begin, Math.max(0, due - performance.now()));
  }

  return {
    get blackouts() {
      return blackouts;
    },
    pause() {
      if (!dark) clearTimeout(timer);
      return !dark;
    },
    resume() {
      if (!dark) wait();
    },
  };
}
