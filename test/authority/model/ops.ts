// Every operation that the test draws, as data: who asks, and for what.
import type { By } from './rules.ts'
import type { Right } from './state.ts'

export interface UserDraft {
  readonly id: string
  /**
   * As the request names it: '' is the caller's own, or the default one for a participant admin.
   */
  readonly provider: string
  readonly primaryParty: string
  readonly partyLogin: boolean
  readonly isDeactivated: boolean
}

export interface UserPatch {
  readonly primaryParty?: string
  readonly partyLogin?: boolean
  readonly isDeactivated?: boolean
}

export interface ProviderPatch {
  readonly issuer?: string
  readonly key?: string
  readonly isDeactivated?: boolean
  readonly audience?: string
}

/** How the answer to an offer is given. */
export type Reply = 'accept' | 'reject' | 'withdraw'

/** Effects of a command; each needs the authority of `party` alone. */
export type Deed =
  /** Makes something of the party's and takes it back. */
  | { readonly deed: 'nothing'; readonly party: string }
  | { readonly deed: 'offer'; readonly party: string; readonly to: string; readonly amount: bigint }
  | { readonly deed: 'minting'; readonly party: string; readonly to: string }
  /** Archives the rules of the network. */
  | { readonly deed: 'end-network'; readonly party: string }

/** `too-few`: one of two keys, or none of one. */
export type Signing = 'right' | 'wrong-key' | 'none' | 'too-few' | 'for-another'

/** Operations that everybody can ask for. */
export type Ask =
  | { readonly op: 'create-user'; readonly user: UserDraft; readonly rights: readonly Right[] }
  | {
      readonly op: 'patch-user'
      readonly id: string
      readonly provider: string
      readonly patch: UserPatch
    }
  | { readonly op: 'delete-user'; readonly id: string }
  | {
      readonly op: 'grant'
      readonly id: string
      readonly provider: string
      readonly rights: readonly Right[]
    }
  | {
      readonly op: 'revoke'
      readonly id: string
      readonly provider: string
      readonly rights: readonly Right[]
    }
  | { readonly op: 'move-user'; readonly id: string; readonly from: string; readonly to: string }
  | { readonly op: 'read-user'; readonly id: string; readonly provider: string }
  | { readonly op: 'read-rights'; readonly id: string }
  | {
      readonly op: 'allocate'
      readonly hint: string
      readonly provider: string
      readonly userId: string
      readonly note: string
    }
  | {
      readonly op: 'allocate-external'
      readonly hint: string
      readonly provider: string
      readonly userId: string
      /** The first one is the party's namespace. */
      readonly keys: readonly string[]
      readonly signers: readonly string[]
      /** The topology says that the signers' keys are the party's. */
      readonly isForged: boolean
    }
  | {
      readonly op: 'patch-party'
      readonly party: string
      readonly provider: string
      readonly note: string
    }
  | {
      readonly op: 'create-provider'
      readonly id: string
      readonly issuer: string
      readonly key: string
    }
  | { readonly op: 'patch-provider'; readonly id: string; readonly patch: ProviderPatch }
  | { readonly op: 'delete-provider'; readonly id: string }
  | { readonly op: 'register' }
  | { readonly op: 'user-status' }
  | {
      readonly op: 'onboard'
      readonly name: string
      readonly provider: string
      readonly party: string
      readonly create: boolean
    }
  | { readonly op: 'offboard'; readonly name: string }
  /** The hosting; with another signer, the topology says that its key is the party's. */
  | {
      readonly op: 'host'
      readonly hint: string
      readonly key: string
      readonly signer: string
      readonly isForged: boolean
    }
  | { readonly op: 'propose-setup'; readonly party: string }
  | { readonly op: 'accept-setup'; readonly party: string; readonly signer: string }
  | {
      readonly op: 'order'
      readonly party: string
      readonly to: string
      readonly amount: bigint
      readonly signer: string
    }
  | { readonly op: 'run-task'; readonly task: string }
  | { readonly op: 'tap'; readonly usd: bigint }
  | { readonly op: 'preapprove' }
  | { readonly op: 'send'; readonly to: string; readonly amount: bigint }
  | { readonly op: 'offer'; readonly to: string; readonly amount: bigint }
  | { readonly op: 'transfer'; readonly to: string; readonly amount: bigint }
  | {
      readonly op: 'answer'
      readonly kind: 'offer' | 'transfer' | 'minting'
      readonly cid: string
      readonly reply: Reply
    }
  | { readonly op: 'merge'; readonly reply: 'propose' | 'withdraw' }
  | {
      readonly op: 'submit'
      readonly actAs: readonly string[]
      readonly readAs: readonly string[]
      readonly deed: Deed
    }
  | { readonly op: 'sign'; readonly deed: Deed; readonly signing: Signing; readonly executor: By }
  | {
      readonly op: 'read'
      readonly how: ReadKind
      readonly parties: readonly string[]
      readonly any: boolean
    }

export type ReadKind = 'active' | 'updates' | 'completions' | 'tree' | 'by-offset'

export type Op = Ask & { readonly by: By }

export type OpName = Op['op']

/** The part of an answer that the model has to know. */
export interface Answer {
  readonly status: number
  /** The party or the contract that the answer names; '' where it names none. */
  readonly named: string
  readonly text: string
}
