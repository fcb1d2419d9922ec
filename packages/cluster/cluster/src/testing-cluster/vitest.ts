import { announcePool } from "./pool-client.ts";
import { type RunningPool, startPool } from "./start-pool.ts";

let pool: RunningPool | undefined;

/**
 * For vitest's `globalSetup`: from now on `startTestCluster()` of every test file starts clusters in vitest's
 * own process.
 */
export async function setup(): Promise<void> {
  pool = await startPool();
  announcePool(process.env, pool);
}

/** Runs at the end of the test run. */
export async function teardown(): Promise<void> {
  announcePool(process.env, undefined);
  await pool?.stop();
}
