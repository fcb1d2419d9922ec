// The same on a real control plane.
import "./bad-custom-resources.test.ts";
