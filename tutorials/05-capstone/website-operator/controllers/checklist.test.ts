import { openChecklist } from "@operator-path/cluster/checklist";
import { afterAll, test } from "vitest";

// Each test is a milestone. The operator runs as a process, on a cluster of these tests' own.
const checklist = openChecklist();
afterAll(() => checklist.close());

test("the CRD accepts the sample and rejects bad ones", () => checklist.check(1));
test("the sample leads to the objects that it owns", () => checklist.check(2));
test("a deleted object comes back", () => checklist.check(3));
test("a changed spec reaches the objects", () => checklist.check(4));
test("the status has a condition for the current generation", () => checklist.check(5));
test("nothing is written when nothing changes", () => checklist.check(6));
test("a restarted operator catches up", () => checklist.check(7));
test("nothing is left of a deleted sample", () => checklist.check(8));
test("its own permissions are enough, and none is a wildcard", () => checklist.check(9));
test("its Pods may run under the standard restricted", () => checklist.check(10));
