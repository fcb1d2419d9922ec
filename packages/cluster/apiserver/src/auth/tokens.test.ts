import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createTokenAuthenticator } from "./tokens.ts";

const user = { username: "system:serviceaccount:default:a", groups: [] };

describe("tokens that were issued", () => {
  test("are valid until they expire, and as long as what they stand for is there", () => {
    let now = 0;
    let alive = true;
    const tokens = createTokenAuthenticator("secret", () => now);
    const short = tokens.issue(user, 1_000, () => true);
    const long = tokens.issue(user, 10_000, () => alive);
    expect([tokens.authenticate(short), tokens.authenticate(long)]).toEqual([user, user]);
    now = 1_000;
    expect([tokens.authenticate(short), tokens.authenticate(long)]).toEqual([undefined, user]);
    alive = false;
    expect(tokens.authenticate(long)).toBeUndefined();
  });

  test.each(["expired", "bound to something that is gone"])(
    "and are %s: they are let go of, although nobody presents them again",
    async (why) => {
      let now = 0;
      const tokens = createTokenAuthenticator("secret", () => now);
      const valid = tokens.issue(user, Number.POSITIVE_INFINITY, () => true);
      const held: WeakRef<object>[] = [];
      for (let index = 0; index < 2_000; index++) {
        now = index * 1_000;
        const payload = { ...user };
        held.push(new WeakRef(payload));
        if (why === "expired") tokens.issue(payload, now + 5_000, () => true);
        else tokens.issue(payload, Number.POSITIVE_INFINITY, () => now < index * 1_000 + 5_000);
      }
      await collectGarbage();
      expect(held.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(200);
      expect(tokens.authenticate(valid)).toEqual(user);
    },
  );

  test("stay valid, however many there are", () => {
    const tokens = createTokenAuthenticator("secret", () => 0);
    const issued = Array.from({ length: 1_000 }, () => tokens.issue(user, 1, () => true));
    expect(issued.every((token) => tokens.authenticate(token) !== undefined)).toBe(true);
  });
});

async function collectGarbage(): Promise<void> {
  // A WeakRef holds what it refers to until the job that made it is done.
  await setImmediate();
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
