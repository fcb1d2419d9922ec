/** A DNS record: which site it is of, and what it says. */
export interface DnsRecord {
  readonly uid: string;
  readonly size: number;
}

/** What the operator has to do outside of the cluster. Every call may fail, also after it has had its effect. */
export interface Records {
  get(name: string): Promise<DnsRecord | undefined>;
  set(name: string, record: DnsRecord): Promise<void>;
  /** Only the record of that site: another of its name may have one by now. That there is none is no error. */
  remove(name: string, uid: string): Promise<void>;
}
