import { startTestCluster } from "../testing-cluster/start-test-cluster.ts";
import { UserError } from "../user-error.ts";
import { readCapstone } from "./capstone.ts";
import { milestones } from "./milestones.ts";
import { createScene, NotYet, type Scene } from "./scene.ts";

/** Configures `openChecklist`. */
export interface ChecklistOptions {
  /** The project, with its capstone.yaml. Default: the current folder. */
  readonly folder?: string;
  /** As in `startTestCluster`. Default: "embedded". */
  readonly provider?: "embedded" | "envtest";
  /** Milliseconds until something that does not happen is reported. Default: 10,000. */
  readonly patience?: number;
}

/** A project's checklist, with a cluster of its own. */
export interface Checklist extends AsyncDisposable {
  /**
   * Resolves if the operator has reached a milestone. They count from 1.
   *
   * @throws Error that says what is wrong, and what to do
   */
  check(milestone: number): Promise<void>;
  /** Stops the operator and the cluster. */
  close(): Promise<void>;
}

/**
 * Returns the checklist of an operator: behaviours that any good operator shows, for the objects that its
 * capstone.yaml describes. Starts nothing. The first check starts a cluster. The operator runs as a process,
 * started as capstone.yaml says.
 *
 * Not checked: webhooks and conversions of the project's CRDs.
 */
export function openChecklist(options: ChecklistOptions = {}): Checklist {
  const { folder = ".", provider = "embedded", patience = 10_000 } = options;
  const undo = new AsyncDisposableStack();
  let opened: Promise<Scene> | undefined;

  async function open(): Promise<Scene> {
    const capstone = await readCapstone(folder);
    const cluster = undo.use(await startTestCluster({ provider, controllers: true }));
    const scene = createScene({ folder, capstone, cluster, patience });
    undo.defer(() => scene.stop());
    return scene;
  }

  const close = () => undo.disposeAsync();
  return {
    async check(milestone) {
      const found = milestones[milestone - 1];
      if (!found)
        throw new UserError(
          `there is no milestone ${milestone}: use a number from 1 to ${milestones.length}`,
        );
      opened ??= open();
      const scene = await opened;
      scene.begin();
      await found.check(scene);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Checks the milestones in their order, up to the first that the operator has not reached.
 *
 * @param say receives each line: a tick for each milestone, and what is wrong with the first that has none
 * @returns whether the operator has reached all of them
 * @throws UserError if capstone.yaml is missing or invalid
 */
export async function runChecklist(options: ChecklistOptions, say: (line: string) => void): Promise<boolean> {
  await using checklist = openChecklist(options);
  for (const [index, { title }] of milestones.entries()) {
    const line = `${String(index + 1).padStart(2)} ${title}`;
    try {
      await checklist.check(index + 1);
      say(`✓ ${line}`);
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      say(`✗ ${line}`);
      for (const part of error.message.split("\n")) say(`     ${part}`);
      for (const [later, { title }] of milestones.entries())
        if (later > index) say(`  ${String(later + 1).padStart(2)} ${title}`);
      return false;
    }
  }
  return true;
}
