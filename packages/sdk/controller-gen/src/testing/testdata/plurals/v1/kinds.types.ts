import type { KubeObject } from "@operator-path/controller-gen/types";

export interface API extends KubeObject {}

export interface Access extends KubeObject {}

export interface Alias extends KubeObject {}

export interface Analysis extends KubeObject {}

export interface Axis extends KubeObject {}

export interface Base extends KubeObject {}

export interface Box extends KubeObject {}

export interface Branch extends KubeObject {}

export interface Bureau extends KubeObject {}

export interface Bus extends KubeObject {}

export interface Buzz extends KubeObject {}

export interface Cache extends KubeObject {}

export interface Cactus extends KubeObject {}

export interface Cargo extends KubeObject {}

export interface Chassis extends KubeObject {}

export interface Child extends KubeObject {}

export interface Class extends KubeObject {}

export interface Cluster extends KubeObject {}

export interface Criterion extends KubeObject {}

export interface Curriculum extends KubeObject {}

export interface DNS extends KubeObject {}

export interface Data extends KubeObject {}

export interface Database extends KubeObject {}

export interface Day extends KubeObject {}

export interface Dish extends KubeObject {}

export interface Elasticsearch extends KubeObject {}

export interface EndpointSlice extends KubeObject {}

export interface Endpoints extends KubeObject {}

export interface Fish extends KubeObject {}

export interface Focus extends KubeObject {}

export interface Foot extends KubeObject {}

export interface Gas extends KubeObject {}

export interface Gateway extends KubeObject {}

export interface Goose extends KubeObject {}

export interface HTTPRoute extends KubeObject {}

export interface Hero extends KubeObject {}

export interface ID extends KubeObject {}

export interface Index extends KubeObject {}

export interface Ingress extends KubeObject {}

export interface Istio extends KubeObject {}

export interface Knife extends KubeObject {}

export interface Kubernetes extends KubeObject {}

export interface Leaf extends KubeObject {}

export interface Lens extends KubeObject {}

export interface Man extends KubeObject {}

export interface Matrix extends KubeObject {}

export interface Media extends KubeObject {}

export interface MemcachedBackup extends KubeObject {}

export interface Mongo extends KubeObject {}

export interface Monkey extends KubeObject {}

export interface Mouse extends KubeObject {}

export interface MyFish extends KubeObject {}

export interface NetworkPolicy extends KubeObject {}

export interface News extends KubeObject {}

export interface OvhNginx extends KubeObject {}

export interface Ox extends KubeObject {}

export interface Person extends KubeObject {}

export interface Photo extends KubeObject {}

export interface Piano extends KubeObject {}

export interface Policy extends KubeObject {}

export interface Potato extends KubeObject {}

export interface Process extends KubeObject {}

export interface Prometheus extends KubeObject {}

export interface Proxy extends KubeObject {}

export interface Quiz extends KubeObject {}

export interface Quota extends KubeObject {}

export interface Radius extends KubeObject {}

export interface Redis extends KubeObject {}

export interface Roof extends KubeObject {}

export interface Schema extends KubeObject {}

export interface Series extends KubeObject {}

export interface Service extends KubeObject {}

export interface Soliloquy extends KubeObject {}

export interface Status extends KubeObject {}

export interface TLS extends KubeObject {}

export interface Thesis extends KubeObject {}

export interface Tomcat extends KubeObject {}

export interface Tooth extends KubeObject {}

export interface Toy extends KubeObject {}

export interface UserID extends KubeObject {}

export interface VirtualMachine extends KubeObject {}

export interface Virus extends KubeObject {}

export interface Wife extends KubeObject {}

export interface Wolf extends KubeObject {}

export interface Woman extends KubeObject {}
