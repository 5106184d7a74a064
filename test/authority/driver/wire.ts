// How operations and their parts look on the wire. spec/ledger.yaml, spec/validator.yaml
import type { Ask, Deed } from '../model/ops.ts'
import { partsOf } from '../model/state.ts'
import type { Right } from '../model/state.ts'

export const VALIDATOR = '/api/validator/v0'
const UNIT = 10_000_000_000n
const HOUR_MS = 3_600_000
const MERGE =
  '#network-util-token-standard-wallet:Network.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal'
const OFFER = '#network-wallet:Network.Wallet.TransferOffer:TransferOffer'
const MINTING = '#network-wallet:Network.Wallet.MintingDelegation:MintingDelegationProposal'
const RULES = '#network-coin:Network.CoinRules:CoinRules'

export interface Sent {
  readonly line: string
  readonly body?: unknown
}

/** Names that requests need besides what is drawn. */
export interface Names {
  readonly dso: string
  readonly operatorParty: string
  /** The contract with the rules of the network. */
  readonly rules: string
  /** Something that nobody has used. */
  readonly fresh: () => string
  readonly urlOf: (key: string) => string
}

export function amountText(amount: bigint): string {
  return `${amount / UNIT}.${String(amount % UNIT).padStart(10, '0')}`
}

export function rightToWire(right: Right): object {
  const [kind, party] = partsOf(right)
  return { kind: { [kind]: { value: party === '' ? {} : { party } } } }
}

/**
 * Requests of one call. `submit`, `sign`, `host` and others that take a signature are put together
 * in perform.ts.
 */
export function sentOf(ask: Ask, names: Names): Sent | undefined {
  return (
    userRequest(ask) ??
    partyRequest(ask) ??
    providerRequest(ask, names) ??
    walletRequest(ask, names) ??
    adminRequest(ask)
  )
}

function mask(paths: readonly string[]): object {
  return { paths, unknownFields: { fields: {} } }
}

function userRequest(ask: Ask): Sent | undefined {
  switch (ask.op) {
    case 'create-user': {
      const { id, provider, primaryParty, partyLogin, isDeactivated } = ask.user
      const user = {
        id,
        identityProviderId: provider,
        primaryPartyAuthentication: partyLogin,
        isDeactivated,
        ...(primaryParty === '' ? {} : { primaryParty }),
      }
      return { line: 'POST /v2/users', body: { user, rights: ask.rights.map(rightToWire) } }
    }
    case 'patch-user': {
      const { primaryParty, partyLogin, isDeactivated } = ask.patch
      const fields = {
        ...(primaryParty === undefined ? {} : { primaryParty }),
        ...(partyLogin === undefined ? {} : { primaryPartyAuthentication: partyLogin }),
        ...(isDeactivated === undefined ? {} : { isDeactivated }),
      }
      const user = { id: ask.id, identityProviderId: ask.provider, ...fields }
      return {
        line: `PATCH /v2/users/${ask.id}`,
        body: { user, updateMask: mask(Object.keys(fields)) },
      }
    }
    case 'delete-user':
      return { line: `DELETE /v2/users/${ask.id}` }
    case 'grant':
    case 'revoke': {
      const body = {
        userId: ask.id,
        identityProviderId: ask.provider,
        rights: ask.rights.map(rightToWire),
      }
      return { line: `${ask.op === 'grant' ? 'POST' : 'PATCH'} /v2/users/${ask.id}/rights`, body }
    }
    case 'move-user': {
      const body = {
        userId: ask.id,
        sourceIdentityProviderId: ask.from,
        targetIdentityProviderId: ask.to,
      }
      return { line: `PATCH /v2/users/${ask.id}/identity-provider-id`, body }
    }
    case 'read-user':
      return {
        line: `GET /v2/users/${ask.id}${ask.provider === '' ? '' : `?identity-provider-id=${ask.provider}`}`,
      }
    case 'read-rights':
      return { line: `GET /v2/users/${ask.id}/rights` }
    default:
      return undefined
  }
}

function partyRequest(ask: Ask): Sent | undefined {
  if (ask.op === 'allocate') {
    const note =
      ask.note === '' ? {} : { localMetadata: { annotations: { 'wallet-user': ask.note } } }
    return {
      line: 'POST /v2/parties',
      body: {
        partyIdHint: ask.hint,
        identityProviderId: ask.provider,
        userId: ask.userId,
        ...note,
      },
    }
  }
  if (ask.op !== 'patch-party') return undefined
  const partyDetails = {
    party: ask.party,
    identityProviderId: ask.provider,
    isLocal: true,
    localMetadata: { annotations: { 'wallet-user': ask.note } },
  }
  return {
    line: `PATCH /v2/parties/${encodeURIComponent(ask.party)}`,
    body: { partyDetails, updateMask: mask(['localMetadata.annotations']) },
  }
}

function providerRequest(ask: Ask, { urlOf }: Names): Sent | undefined {
  switch (ask.op) {
    case 'create-provider': {
      const identityProviderConfig = {
        identityProviderId: ask.id,
        issuer: ask.issuer,
        jwksUrl: urlOf(ask.key),
      }
      return { line: 'POST /v2/idps', body: { identityProviderConfig } }
    }
    case 'patch-provider': {
      const { issuer, key, isDeactivated, audience } = ask.patch
      const fields = {
        ...(issuer === undefined ? {} : { issuer }),
        ...(key === undefined ? {} : { jwksUrl: urlOf(key) }),
        ...(isDeactivated === undefined ? {} : { isDeactivated }),
        ...(audience === undefined ? {} : { audience }),
      }
      const identityProviderConfig = {
        identityProviderId: ask.id,
        issuer: '',
        jwksUrl: '',
        ...fields,
      }
      return {
        line: `PATCH /v2/idps/${ask.id}`,
        body: { identityProviderConfig, updateMask: mask(Object.keys(fields)) },
      }
    }
    case 'delete-provider':
      return { line: `DELETE /v2/idps/${ask.id}` }
    default:
      return undefined
  }
}

const ANSWERS = {
  offer: 'transfer-offers',
  transfer: 'token-standard/transfers',
  minting: 'minting-delegation-proposals',
} as const

function walletRequest(ask: Ask, { fresh }: Names): Sent | undefined {
  const wallet = `${VALIDATOR}/wallet`
  switch (ask.op) {
    case 'register':
      return { line: `POST ${VALIDATOR}/register`, body: {} }
    case 'user-status':
      return { line: `GET ${wallet}/user-status` }
    case 'tap':
      return { line: `POST ${wallet}/tap`, body: { amount: amountText(ask.usd * UNIT) } }
    case 'preapprove':
      return { line: `POST ${wallet}/transfer-preapproval` }
    case 'send': {
      const body = {
        receiver_party_id: ask.to,
        amount: amountText(ask.amount),
        deduplication_id: fresh(),
      }
      return { line: `POST ${wallet}/transfer-preapproval/send`, body }
    }
    case 'offer':
    case 'transfer': {
      const expires_at = (Date.now() + HOUR_MS) * 1_000
      const body = {
        receiver_party_id: ask.to,
        amount: amountText(ask.amount),
        description: 'x',
        expires_at,
        tracking_id: fresh(),
      }
      return { line: `POST ${wallet}/${ANSWERS[ask.op]}`, body }
    }
    case 'answer':
      return { line: `POST ${wallet}/${ANSWERS[ask.kind]}/${ask.cid}/${ask.reply}` }
    case 'merge':
      return { line: `POST ${wallet}/merge-delegation/${ask.reply}` }
    default:
      return undefined
  }
}

function adminRequest(ask: Ask): Sent | undefined {
  const admin = `${VALIDATOR}/admin`
  switch (ask.op) {
    case 'onboard': {
      const provider = ask.provider === '' ? {} : { identity_provider_id: ask.provider }
      const party =
        ask.party === '' ? {} : { party_id: ask.party, createPartyIfMissing: ask.create }
      return { line: `POST ${admin}/users`, body: { name: ask.name, ...provider, ...party } }
    }
    case 'offboard':
      return { line: `POST ${admin}/users/offboard?username=${ask.name}` }
    case 'propose-setup':
      return {
        line: `POST ${admin}/external-party/setup-proposal`,
        body: { user_party_id: ask.party },
      }
    default:
      return undefined
  }
}

/** The command of a deed. */
export function commandOf(deed: Deed, { dso, operatorParty, rules, fresh }: Names): object {
  const { party } = deed
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
  switch (deed.deed) {
    case 'nothing': {
      const createArguments = {
        delegation: { operator: operatorParty, owner: party, meta: { values: {} } },
      }
      return {
        CreateAndExerciseCommand: {
          templateId: MERGE,
          createArguments,
          choice: 'MergeDelegationProposal_Withdraw',
          choiceArgument: {},
        },
      }
    }
    case 'offer': {
      const amount = { amount: amountText(deed.amount), unit: 'CoinUnit' }
      const createArguments = {
        sender: party,
        receiver: deed.to,
        dso,
        amount,
        description: '',
        expiresAt,
        trackingId: fresh(),
      }
      return { CreateCommand: { templateId: OFFER, createArguments } }
    }
    case 'minting': {
      const delegation = {
        beneficiary: party,
        delegate: deed.to,
        dso,
        expiresAt,
        coinMergeLimit: '10',
      }
      return { CreateCommand: { templateId: MINTING, createArguments: { delegation } } }
    }
    case 'end-network':
      return {
        ExerciseCommand: {
          templateId: RULES,
          contractId: rules,
          choice: 'Archive',
          choiceArgument: {},
        },
      }
  }
}

/** Names exactly one event filter each. */
export function eventFormatOf(parties: readonly string[], any: boolean): object {
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, {}]))
  return { filtersByParty, ...(any ? { filtersForAnyParty: {} } : {}) }
}
