// The same on a real kube-apiserver.
import "./test-cluster.test.ts";
