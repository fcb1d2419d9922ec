// The same on a real control plane.
import "./start-test-cluster.test.ts";
