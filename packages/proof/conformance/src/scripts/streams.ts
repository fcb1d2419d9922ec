import type { Script, Step } from "../script.ts";
import { get, merge, paths, pod, post, remove, service, setup } from "./make.ts";

const { pods, services } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "streams", steps });
const status = (ingress: unknown) =>
  merge(`${services}/web/status`, { status: { loadBalancer: { ingress: ingress as never } } });
const balanced = (spec = {}) => service("web", { type: "LoadBalancer", ...spec });
const two = pod("two", {
  containers: [
    { name: "a", image: "x" },
    { name: "b", image: "x" },
  ],
});

/** Errors before a byte stream begins, and the addresses of Services. */
export const streams: readonly Script[] = [
  script(
    "exec, attach and port-forward without an upgrade",
    setup(post(pods, pod("p", { nodeSelector: { none: "here" } }))),
    setup(post(pods, two)),
    get(`${pods}/p/exec?command=ls&stdout=1`),
    get(`${pods}/p/attach?stdout=1`),
    get(`${pods}/p/portforward`),
    get(`${pods}/p/exec?command=ls&stdout=1&container=nope`),
    get(`${pods}/two/exec?command=ls&stdout=1`),
    get(`${pods}/nope/exec?command=ls&stdout=1`),
    get(`${pods}/nope/portforward`),
    post(`${pods}/nope/attach?stdout=1`, {}),
    remove(`${pods}/p/exec`),
  ),
  script(
    "logs of a Pod without a node",
    setup(post(pods, pod("p", { nodeSelector: { none: "here" } }))),
    setup(post(pods, two)),
    get(`${pods}/p/log`),
    get(`${pods}/p/log?container=nope`),
    get(`${pods}/two/log`),
    get(`${pods}/p/log?tailLines=-1`),
    get(`${pods}/nope/log`),
  ),
  script(
    "proxies without a target",
    setup(post(pods, pod("p", { nodeSelector: { none: "here" } }))),
    setup(post(services, service())),
    get(`${pods}/p/proxy/`),
    get(`${pods}/p:80/proxy/x`),
    get(`${pods}/nope/proxy/`),
    get(`${pods}/ftp:p:80/proxy/`),
    get(`${pods}/a:b:c:d/proxy/`),
    get(`${services}/web:99/proxy/`),
    get(`${services}/nope:80/proxy/`),
    get(`${services}/a:b:c:d/proxy/`),
    get("/api/v1/nodes/nope/proxy/"),
    get("/api/v1/nodes/a:b:c:d/proxy/"),
  ),
  script(
    "a Service whose type changes",
    post(services, service("web", { type: "NodePort" })),
    merge(`${services}/web`, { spec: { type: "ClusterIP" } }),
    merge(`${services}/web`, { spec: { type: "LoadBalancer" } }),
    merge(`${services}/web`, { spec: { type: "NodePort" } }),
    merge(`${services}/web`, { spec: { type: "ExternalName", externalName: "example.com", ports: null } }),
    merge(`${services}/web`, { spec: { type: "ClusterIP", externalName: null, ports: [{ port: 80 }] } }),
  ),
  script(
    "a load balancer without node ports",
    post(services, balanced({ allocateLoadBalancerNodePorts: false, externalTrafficPolicy: "Local" })),
    merge(`${services}/web`, { spec: { type: "ClusterIP" } }),
  ),
  script(
    "a load balancer's addresses",
    setup(post(services, balanced({ loadBalancerClass: "example.com/missing" }))),
    status([{ ip: "192.0.2.1" }]),
    status([
      {
        ip: "192.0.2.1",
        ipMode: "Proxy",
        ports: [{ port: 80, protocol: "TCP", error: "example.com/Broken" }],
      },
    ]),
    status([{ hostname: "lb.example.com" }]),
    status([{ ip: "nonsense" }]),
    status([{ ip: "192.0.2.1", ipMode: "Nonsense" }]),
    status([{ hostname: "192.0.2.1" }]),
    status([{ hostname: "lb.example.com", ipMode: "VIP" }]),
    merge(`${services}/web`, { spec: { loadBalancerClass: null, type: "ClusterIP" } }),
    status([{ ip: "192.0.2.1" }]),
  ),
];
