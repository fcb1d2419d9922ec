// Runs the tests that hold for any API server on a real one, where there is one.
import "./autoscaling.test.ts";
import "./custom-resources.test.ts";
import "./drift.test.ts";
import "./ownership.test.ts";
import "./refusals.test.ts";
