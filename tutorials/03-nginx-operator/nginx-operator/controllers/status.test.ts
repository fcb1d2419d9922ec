import type { Deployment, Service } from "@operator-path/client";
import { expect, test } from "vitest";
import { statusFor } from "./status.ts";

const deployment: Deployment = { apiVersion: "apps/v1", kind: "Deployment", status: { readyReplicas: 2 } };
const service: Service = {
  apiVersion: "v1",
  kind: "Service",
  status: { loadBalancer: { ingress: [{ ip: "51.210.253.158" }] } },
};

test("the status says how many Pods are ready, and where the load balancer is", () => {
  expect(statusFor(deployment, service)).toEqual({ readyReplicas: 2, address: "51.210.253.158" });
});

test("a load balancer may have a host name instead of an address", () => {
  const named = { ...service, status: { loadBalancer: { ingress: [{ hostname: "lb.example.net" }] } } };
  expect(statusFor(deployment, named)).toEqual({ readyReplicas: 2, address: "lb.example.net" });
});

test("without an address, the status has no such field", () => {
  const status = statusFor({ ...deployment, status: {} }, { ...service, status: { loadBalancer: {} } });
  expect(status).toStrictEqual({ readyReplicas: 0 });
});
