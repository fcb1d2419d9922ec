/** Places where the embedded server answers differently, and why. */
export interface KnownDifference {
  /** Why the difference may stay, and what a user would notice. */
  readonly reason: string;
  /** True if the answers differ in some runs only. */
  readonly sometimes?: boolean;
  /** `area: name` of a script, then `2. GET /api/v1/…` as the output prints the request, then `Difference.path`. */
  readonly places: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    reason:
      "A mistake of the client that a real server answers with 500 is a 400, 409 or 422 here: this server has no 500s.",
    places: {
      "bad input: 19 stale resourceVersion": {
        "2. PUT /api/v1/namespaces/{{ns}}/configmaps/a": ["status 409 instead of 500", "message"],
      },
      "lists and watches: a version in the future": {
        "3. GET /api/v1/namespaces/{{ns}}/configmaps/a?resourceVersion=abc": [
          "status 400 instead of 500",
          "message",
        ],
      },
      "lists and watches: a watch from an invalid version": {
        "1. GET /api/v1/namespaces/{{ns}}/configmaps?watch=true&resourceVersion=abc": [
          "status 400 instead of 500",
          "message",
        ],
      },
      "patches: strategic: errors": {
        "1. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web": ["status 400 instead of 500"],
        "2. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web": ["status 400 instead of 500"],
      },
      "validation: Pod: binding": {
        "1. POST /api/v1/namespaces/{{ns}}/pods/a/binding": ["status 422 instead of 500", "message"],
        "2. POST /api/v1/namespaces/{{ns}}/pods/a/binding": ["status 422 instead of 500", "message"],
      },
      "writing: create with a version": {
        "1. POST /api/v1/namespaces/{{ns}}/configmaps": ["status 400 instead of 500"],
      },
    },
  },
  {
    reason:
      "A configuration that does not fit the schema is a 500 without a reason on a real server. Here it is a 400 (BadRequest) with the same message.",
    places: {
      "apply: field validation": {
        "1. PATCH /api/v1/namespaces/{{ns}}/configmaps/a?fieldManager=m&fieldValidation=Strict": [
          "status 400 instead of 500",
        ],
        "2. PATCH /api/v1/namespaces/{{ns}}/configmaps/a?fieldManager=m&fieldValidation=Warn": [
          "status 400 instead of 500",
        ],
        "3. PATCH /api/v1/namespaces/{{ns}}/configmaps/a?fieldManager=m": ["status 400 instead of 500"],
      },
      "apply: wrong types": {
        "1. PATCH /api/v1/namespaces/{{ns}}/configmaps/a?fieldManager=m": ["status 400 instead of 500"],
        "2. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=m": [
          "status 400 instead of 500",
        ],
        "4. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=m": [
          "status 400 instead of 500",
        ],
      },
      "apply: sets": {
        "5. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=two": [
          "status 400 instead of 500",
        ],
      },
      "apply: maps by key": {
        "5. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
        "6. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
      },
      "apply: a custom resource: duplicate items": {
        "1. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
        "2. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
      },
      "apply: a custom resource: items without distinct keys": {
        "1. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
        "2. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
      },
      "apply: a custom resource: an unknown field": {
        "1. PATCH /apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs/a?fieldManager=one": [
          "status 400 instead of 500",
        ],
      },
      "apply: duplicate items": {
        "1. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=one": [
          "status 400 instead of 500",
        ],
        "2. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=one": [
          "status 400 instead of 500",
        ],
        "3. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=one": [
          "status 400 instead of 500",
        ],
      },
      "apply: values of the wrong type": {
        "1. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
        "2. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
        "3. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
        "4. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
        "5. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
        "6. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
      },
      "apply: the result has to be valid": {
        "2. PATCH /apis/apps/v1/namespaces/{{ns}}/deployments/web?fieldManager=two": [
          "status 400 instead of 500",
        ],
      },
    },
  },
  {
    reason: "The message about invalid YAML is that of js-yaml, not that of Go's parser.",
    places: {
      "apply: missing parts of the request": {
        "7. PATCH /api/v1/namespaces/{{ns}}/configmaps/a?fieldManager=m": ["body.message"],
      },
      "bad input: 01 malformed YAML": {
        "1. POST /api/v1/namespaces/{{ns}}/configmaps": ["body.message"],
        "4. POST /api/v1/namespaces/{{ns}}/configmaps": ["body.message"],
      },
    },
  },
  {
    reason: "Kinds that no tutorial and no recipe needs are not served.",
    places: {
      "kubectl: rights": {
        "4. GET /api/v1": [
          "body.resources[componentstatuses]",
          "body.resources[pods/resize]",
          "body.resources[replicationcontrollers]",
          "body.resources[replicationcontrollers/scale]",
          "body.resources[replicationcontrollers/status]",
        ],
        "6. GET /api/v1": [
          "body.resources[componentstatuses]",
          "body.resources[pods/resize]",
          "body.resources[replicationcontrollers]",
          "body.resources[replicationcontrollers/scale]",
          "body.resources[replicationcontrollers/status]",
        ],
      },
      "kubectl: a node": {
        "21. GET /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3D{{ns}}": [
          "status 404 instead of 200",
          "message",
        ],
      },
      "discovery: the core group": {
        "2. GET /api/v1/": [
          "body.resources[componentstatuses]",
          "body.resources[pods/resize]",
          "body.resources[replicationcontrollers]",
          "body.resources[replicationcontrollers/scale]",
          "body.resources[replicationcontrollers/status]",
        ],
      },
      "discovery: networking.k8s.io": {
        "2. GET /apis/networking.k8s.io/v1": [
          "body.resources[ipaddresses]",
          "body.resources[servicecidrs]",
          "body.resources[servicecidrs/status]",
        ],
      },
      "discovery: admissionregistration.k8s.io": {
        "2. GET /apis/admissionregistration.k8s.io/v1": [
          "body.resources[mutatingadmissionpolicies]",
          "body.resources[mutatingadmissionpolicybindings]",
        ],
      },
      "writing: unsupported verbs": {
        "5. DELETE /api/v1/componentstatuses/x": ["status 404 instead of 405", "message"],
      },
    },
  },
  {
    reason: "API groups that no tutorial and no recipe needs are not served.",
    places: {
      "access: paths that every user may read": {
        "6. GET /apis": [
          "body.groups[apiregistration.k8s.io]",
          "body.groups[autoscaling].versions",
          "body.groups[certificates.k8s.io]",
          "body.groups[node.k8s.io]",
          "body.groups[resource.k8s.io]",
          "body.groups[flowcontrol.apiserver.k8s.io]",
        ],
      },
    },
  },
  {
    reason:
      "A real server names an address for clients that choose one. This server listens on loopback only.",
    places: {
      "access: paths that every user may read": { "1. GET /api": ["body.serverAddressByClientCIDRs"] },
      "discovery: the core group": { "1. GET /api": ["body.serverAddressByClientCIDRs"] },
    },
  },
  {
    reason:
      "The rows of a Table contain the metadata of the stored object. A real server removes the annotation deprecated.daemonset.template.generation there, and only there.",
    places: {
      "tables: workloads": {
        "4. GET /apis/apps/v1/namespaces/{{ns}}/daemonsets": ["body.rows[0].object.metadata.annotations"],
      },
    },
  },
  {
    reason:
      "If several bindings allow a request, a real server names the first one in the random order of a Go map.",
    sometimes: true,
    places: {
      "access: SelfSubjectAccessReview": {
        "3. POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews": ["body.status.reason"],
      },
    },
  },
  {
    reason: "The deprecated paths /api/v1/watch/… are not served: clients have used `?watch=true` for years.",
    places: {
      "lists and watches: a watch by path": {
        "1. GET /api/v1/watch/namespaces/{{ns}}/configmaps": ["status 404 instead of 200", "message"],
        "2. GET /api/v1/watch/namespaces/{{ns}}/configmaps/b": ["status 404 instead of 200"],
      },
    },
  },
  {
    reason:
      "A real server returns a continue token if it stopped at the limit, even if no item follows. This server has looked.",
    places: {
      "lists and watches: a list across namespaces, by selector": {
        "2. GET /api/v1/configmaps?labelSelector=only%3D{{ns}}&limit=1": ["body.metadata.continue"],
      },
    },
  },
  {
    reason: "A deletion takes a different number of resourceVersions. They grow on both servers.",
    places: {
      "kubectl: a Deployment, by hand": {
        "34. DELETE /api/v1/namespaces/{{ns}}/services/web": ["body.metadata.resourceVersion"],
        "35. DELETE /api/v1/namespaces/{{ns}}/services/outside": ["body.metadata.resourceVersion"],
      },
      "lists and watches: a watch sees a graceful deletion": {
        "2. GET /api/v1/namespaces/{{ns}}/pods?watch=true&resourceVersion={{list.metadata.resourceVersion}}":
          ["body[1].object.metadata.resourceVersion", "body[2].object.metadata.resourceVersion"],
      },
    },
  },
  {
    reason:
      "The message of a 406 lists the representations of this server. It reads protobuf, and does not write it.",
    places: {
      "writing: an unknown media type": {
        "1. GET /api/v1/namespaces/{{ns}}/configmaps/a": ["body.message"],
      },
    },
  },
];
