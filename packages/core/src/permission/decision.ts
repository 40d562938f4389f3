/** What policy says of a call, and why. Pure data. */
export type Verdict = 'allow' | 'ask' | 'deny';

/** Where a rule was written; managed outranks nothing by itself (policy is order-free) but says who can change it. */
export type RuleSourceKind = 'managed' | 'user' | 'project' | 'flag' | 'session' | 'grant' | 'default' | 'tool';

export interface RuleSource {
  kind: RuleSourceKind;
  /** A file, a flag, or a grant's id. */
  where: string;
  line?: number;
}

export interface DecisionReason {
  verdict: Verdict;
  /** The rule's text, or a sentence for a default. */
  rule: string;
  source: RuleSource;
  /** The canonical resource that it decided, absent when it speaks of the whole tool. */
  resource?: string;
}

export interface Decision {
  verdict: Verdict;
  /** The reasons that decided, strongest first. Never empty. */
  reasons: DecisionReason[];
  /** What "always" would store, one rule per access, shown to the user word by word; absent where no lasting rule is offered. */
  suggestion?: string[];
  /** Denied only because the mode says that nobody can be asked; the code is `approval_unavailable`. */
  unattended?: true;
}
