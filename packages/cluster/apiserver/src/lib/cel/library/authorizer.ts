import { fail, type Library, member } from "../functions.ts";
import { bool, type CelType, opaque, string } from "../types.ts";
import { CelOpaque } from "../values.ts";

const named = (name: string) => opaque(`kubernetes.authorization.${name}`);
/** The type of the variable `authorizer`. */
export const authorizerType: CelType = named("Authorizer");
const pathType = named("PathCheck");
const groupType = named("GroupCheck");
/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType: CelType = named("ResourceCheck");
const resourceType = resourceCheckType;
const decisionType = named("Decision");

/** The question of an expression: about a path or a resource. */
interface AuthorizationQuestion {
  /** The account to check. Default: the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

export type Ask = (question: AuthorizationQuestion) => AuthorizationAnswer;

/** A question that is not complete yet, or its answer. */
class Check extends CelOpaque {
  readonly type: CelType;
  readonly ask: Ask;
  readonly question: Partial<AuthorizationQuestion>;
  readonly answer: AuthorizationAnswer | undefined;

  constructor(
    type: CelType,
    ask: Ask,
    question: Partial<AuthorizationQuestion>,
    answer?: AuthorizationAnswer,
  ) {
    super();
    this.type = type;
    this.ask = ask;
    this.question = question;
    this.answer = answer;
  }

  equals(other: CelOpaque): boolean {
    return other === this;
  }
}

/** Returns the value of the variable `authorizer`. @param ask must answer synchronously */
export function createAuthorizer(ask: Ask): CelOpaque {
  return new Check(authorizerType, ask, {});
}

/**
 * Returns the value of the variable `authorizer.requestResource`: a question about the request's own
 * resource, without a verb.
 */
export function createResourceCheck(ask: Ask, resource: Partial<AuthorizationQuestion>): CelOpaque {
  return new Check(resourceType, ask, resource);
}

function add(
  from: CelType,
  to: CelType,
  key: keyof AuthorizationQuestion,
  check: (value: string) => void = () => undefined,
) {
  return member([from, string], to, (before: Check, value: string) => {
    check(value);
    return new Check(to, before.ask, { ...before.question, [key]: value });
  });
}

function notEmpty(message: string): (value: string) => void {
  return (value) => {
    if (value === "") fail(message);
  };
}

const checkCost = () => 350_000;

function decide(type: CelType) {
  return member(
    [type, string],
    decisionType,
    ({ ask, question }: Check, verb: string) =>
      new Check(decisionType, ask, question, ask({ ...question, verb })),
    checkCost,
  );
}

function answerMember<Result extends boolean | string>(
  type: CelType,
  read: (answer: AuthorizationAnswer) => Result,
) {
  return member([decisionType], type, ({ answer }: Check) =>
    answer === undefined ? fail("no such overload") : read(answer),
  );
}

/**
 * Functions that check permissions:
 * `authorizer.group("apps").resource("deployments").check("get").allowed()`.
 */
export const authorizer: Library = {
  path: [add(authorizerType, pathType, "path", notEmpty("path must not be empty"))],
  group: [add(authorizerType, groupType, "group")],
  serviceAccount: [
    member(
      [authorizerType, string, string],
      authorizerType,
      ({ ask, question }: Check, namespace: string, name: string) => {
        if (name === "") fail("Invalid service account name");
        if (namespace === "") fail("Invalid service account namespace");
        return new Check(authorizerType, ask, { ...question, serviceAccount: { namespace, name } });
      },
    ),
  ],
  resource: [add(groupType, resourceType, "resource", notEmpty("resource must not be empty"))],
  subresource: [add(resourceType, resourceType, "subresource")],
  namespace: [add(resourceType, resourceType, "namespace")],
  name: [add(resourceType, resourceType, "name")],
  fieldSelector: [add(resourceType, resourceType, "fieldSelector")],
  labelSelector: [add(resourceType, resourceType, "labelSelector")],
  check: [decide(pathType), decide(resourceType)],
  errored: [answerMember(bool, ({ error }) => error !== undefined)],
  error: [answerMember(string, ({ error = "" }) => error)],
  allowed: [answerMember(bool, ({ allowed }) => allowed)],
  reason: [answerMember(string, ({ reason }) => reason)],
};
