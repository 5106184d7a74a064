// The context of a choice of the token standard: values under well-known keys, and contracts that
// the exercising party may not see. One builder for the registry's answers and for our own wallets.
// docs/economy-rules.md, "Token-standard transfers" and "Choice contexts"
import type { AnyValue, ExtraArgs } from '../../../generated/contracts.gen.ts'
import type { ChoiceContext, DisclosedContract } from '../../../generated/registry/types.gen.ts'
import { contextKeys, NO_METADATA } from '../../contracts/index.ts'
import { encodeBlob } from '../../engine/index.ts'
import type { Contract } from '../../engine/index.ts'
import { timeText } from '../../participant/time.ts'
import { badRequest } from '../errors.ts'
import type { PlainError } from '../errors.ts'

type ContextValue = Extract<AnyValue, { readonly tag: 'AV_ContractId' | 'AV_Bool' | 'AV_Text' }>
type KnownContract = Contract<unknown>

/** Parts of a context; absent parts are left out. */
export interface ContextParts {
  readonly coinRules?: KnownContract
  readonly openRound?: KnownContract
  readonly transferPreapproval?: KnownContract
  readonly featuredAppRight?: KnownContract
  /** Whether what is locked is still there to be unlocked. */
  readonly expireLock?: boolean
  /** Disclosed, but under no key: factories and locked holdings. */
  readonly others?: readonly KnownContract[]
}

export interface TokenContext {
  readonly values: ReadonlyMap<string, ContextValue>
  readonly disclosed: readonly KnownContract[]
}

const CONTRACT_PARTS = [
  'coinRules',
  'openRound',
  'transferPreapproval',
  'featuredAppRight',
] as const

/** Limits of a context in spec/contracts.yaml: no choice takes more. */
const [MAX_KEY, MAX_TEXT, MAX_BYTES] = [255, 4_096, 16_384]

/** The context of these parts. Pure. */
export function choiceContext(parts: ContextParts): TokenContext {
  const { expireLock, others = [] } = parts
  const named = CONTRACT_PARTS.flatMap((part) => {
    const contract = parts[part]
    return contract === undefined ? [] : [{ key: contextKeys[part], contract }]
  })
  const entries = named.map(({ key, contract }): [string, ContextValue] => [
    key,
    { tag: 'AV_ContractId', value: contract.id },
  ])
  if (expireLock !== undefined)
    entries.push([contextKeys.expireLock, { tag: 'AV_Bool', value: expireLock }])
  const disclosed = [...others, ...named.map(({ contract }) => contract)]
  return {
    values: new Map(entries),
    disclosed: [...new Map(disclosed.map((contract) => [contract.id, contract])).values()],
  }
}

/**
 * The context with a caller's metadata beside its own values, as texts; what the choice needs goes
 * before what has the same key. 400 where no choice would take so much. docs/economy-rules.md,
 * "Choice contexts"
 */
export function withMetadata(
  context: TokenContext,
  metadata: Readonly<Record<string, string>>,
): TokenContext | PlainError {
  const texts = Object.entries(metadata).map(([key, value]): [string, ContextValue] => [
    key,
    { tag: 'AV_Text', value },
  ])
  if (texts.length === 0) return context
  const isLong = Object.entries(metadata).some(
    ([key, value]) => key.length > MAX_KEY || value.length > MAX_TEXT,
  )
  if (isLong) return badRequest(`meta: keys have at most ${MAX_KEY} characters, texts ${MAX_TEXT}`)
  const values = new Map([...texts, ...context.values])
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(values))) > MAX_BYTES
    ? badRequest(`meta: the context would have more than ${MAX_BYTES} bytes`)
    : { ...context, values }
}

/** The context as the choice takes it. */
export function extraArgsOf({ values }: TokenContext): ExtraArgs {
  return { context: { values }, meta: NO_METADATA }
}

/**
 * The first contract to disclose that is between synchronizers. docs/ledger-rules.md, "Assignment"
 */
export function inFlight({ disclosed }: TokenContext): KnownContract | undefined {
  return disclosed.find(({ synchronizerId }) => synchronizerId === '')
}

/** The context as the registry answers it. */
export function contextToWire(
  { values, disclosed }: TokenContext,
  excludeDebugFields: boolean,
): ChoiceContext {
  return {
    choiceContextData: { values: Object.fromEntries(values) },
    disclosedContracts: disclosed.map((contract) => disclosedToWire(contract, excludeDebugFields)),
  }
}

function disclosedToWire(
  { record, synchronizerId }: KnownContract,
  excludeDebugFields: boolean,
): DisclosedContract {
  const { templateId, contractId, packageName, payload, createdAt } = record
  const contract = { templateId, contractId, createdEventBlob: encodeBlob(record), synchronizerId }
  if (excludeDebugFields) return contract
  return {
    ...contract,
    debugPackageName: packageName,
    debugPayload: JSON.parse(payload),
    debugCreatedAt: timeText(createdAt),
  }
}
