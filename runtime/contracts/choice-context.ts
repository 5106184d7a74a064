// Reads the context that a registry gives with a choice of the token standard.
// docs/economy-rules.md, "Choice contexts"
import type { ExtraArgs, PaymentTransferContext } from '../../generated/contracts.gen.ts'
import type { Tx } from '../engine/template.ts'
import { contextKeys } from './names.ts'
import { orNone } from './requirements.ts'

type Key = keyof typeof contextKeys

/** The contract id under a key, undefined where there is none. Another type of value aborts. */
export function contractIn(tx: Tx, { context }: ExtraArgs, key: Key): string | undefined {
  const value = context.values.get(contextKeys[key])
  if (value === undefined) return undefined
  tx.require(
    value.tag === 'AV_ContractId',
    `the context has a contract id under ${contextKeys[key]}`,
    () => value.tag,
  )
  return value.value
}

/** The contract id of `contractIn`; its absence aborts. */
export function requiredContract(tx: Tx, args: ExtraArgs, key: Key): string {
  const contractId = contractIn(tx, args, key)
  tx.require(contractId !== undefined, `the context has ${contextKeys[key]}`, () => 'none')
  return contractId
}

/** Whether the locked coin is still there to be unlocked; the key is mandatory. */
export function expiresLock(tx: Tx, { context }: ExtraArgs): boolean {
  const value = context.values.get(contextKeys.expireLock)
  tx.require(
    value?.tag === 'AV_Bool',
    `the context has a boolean under ${contextKeys.expireLock}`,
    () => orNone(value?.tag),
  )
  return value.value
}

/**
 * Rules and round of the context; such a transfer takes coins only, so there are neither issuing
 * rounds nor rights.
 */
export function paymentContext(
  tx: Tx,
  args: ExtraArgs,
  featuredAppRight: string | null,
): PaymentTransferContext {
  return {
    coinRules: requiredContract(tx, args, 'coinRules'),
    context: {
      openMiningRound: requiredContract(tx, args, 'openRound'),
      issuingMiningRounds: [],
      validatorRights: [],
      featuredAppRight,
    },
  }
}
