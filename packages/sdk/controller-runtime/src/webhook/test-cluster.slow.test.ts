// The same tests on a real kube-apiserver.
import "./test-cluster.test.ts";
