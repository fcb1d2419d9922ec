// Pods that are processes of this machine, reached like any other Pod.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type ImageBench, serverProject, startImageBench } from "../testing/image-bench.ts";
import { portForward } from "../testing/port-forward.ts";
import { until } from "../testing/process.ts";

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
  await bench.image("server:v1", serverProject);
  await bench.ok("create deployment web --image=server:v1 --replicas=2 --port=8080");
  await bench.ok("expose deployment web --port=8081 --target-port=8080 --type=LoadBalancer");
  await bench.ok("wait --for=condition=Available deployment/web --timeout=50s");
  // Without a readiness probe a Pod is ready before its program listens, and refuses connections until then.
  for (const pod of await webPods()) await bench.get(pod, "/");
});
afterAll(() => bench.stop());

const webPods = async (): Promise<string[]> =>
  (await bench.ok("get pods -l app=web -o jsonpath={.items[*].metadata.name}")).split(" ");

/** Sends requests over new connections until both replicas have answered. */
async function bothAnswer(url: string): Promise<void> {
  const seen = new Set<string>();
  await until(async () => {
    const answer = await fetch(url, { headers: { connection: "close" } });
    seen.add(await answer.text());
    return seen.size === 2;
  });
  expect([...seen].every((text) => text.startsWith("hello from web-"))).toBe(true);
}

it("by port-forward to a Pod, and to a Service", async () => {
  const [name] = await webPods();
  for (const [target, port] of [
    [`pod/${name}`, 8080],
    ["service/web", 8081],
  ]) {
    const forwarding = await portForward(bench, `${target} :${port}`);
    onTestFinished(() => forwarding.stop());
    const answer = await fetch(`http://127.0.0.1:${forwarding.ports[0]}/`);
    expect(await answer.text()).toMatch(/^hello from web-/);
  }
});

it("by the load balancer's address and by a node port, one replica after the other", async () => {
  const service = JSON.parse(await bench.ok("get service web -o json"));
  await bothAnswer(`http://${service.status.loadBalancer.ingress[0].ip}:8081/`);
  await bothAnswer(`http://127.0.0.1:${service.spec.ports[0].nodePort}/`);
});

it("by the Service's name, from simulated Pods and from each other", async () => {
  expect(await bench.ok("exec client -- wget -qO- http://web:8081/")).toMatch(/^hello from web-/);
  const [pod = ""] = await webPods();
  const name = encodeURIComponent("http://web.default.svc:8081/");
  expect(await bench.get(pod, `/fetch?url=${name}`)).toMatch(/^200 hello from web-/);
});

it("by the API server's proxy", async () => {
  const path = "/api/v1/namespaces/default/services/web:8081/proxy/cwd";
  expect(await bench.ok(`get --raw ${path}`)).toMatch(/app$/);
});

it("not without Pods: the connection is refused, and works again with new Pods", async () => {
  const { ip } = JSON.parse(await bench.ok("get service web -o jsonpath={.status.loadBalancer.ingress[0]}"));
  const reached = () =>
    fetch(`http://${ip}:8081/`, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    );
  await bench.ok("scale deployment web --replicas=0");
  await until(async () => !(await reached()));
  await bench.ok("scale deployment web --replicas=2");
  await until(reached);
});
