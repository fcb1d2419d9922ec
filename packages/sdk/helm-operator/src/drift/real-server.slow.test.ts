// What ordinary tests say of drift on our API server is true of a real one: the same tests, where there is one.
import "./autoscaling.test.ts";
import "./custom-resources.test.ts";
import "./drift.test.ts";
import "./ownership.test.ts";
import "./refusals.test.ts";
