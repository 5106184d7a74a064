// How a user's own command reaches the ledger, and what it refers to.
import { coin, lockedCoin, lockedCoinOwnerExpireLock } from '../../../runtime/contracts/index.ts'
import type { PaymentTransferContext, TransferInput } from '../../../generated/contracts.gen.ts'
import type { Tx } from '../../../runtime/engine/index.ts'
import {
  choiceContext,
  extraArgsOf,
  transferContext,
} from '../../../runtime/interfaces/registry/index.ts'
import type { TokenContext } from '../../../runtime/interfaces/registry/index.ts'
import { PlainError } from '../../../runtime/economy/errors.ts'
import { readFunds } from '../../../runtime/economy/treasury/funds.ts'
import { selectInputs } from '../../../runtime/economy/treasury/select-inputs.ts'
import type { ContractRecord } from '../../../runtime/store/store.ts'
import type { InputChoice } from '../model/transfer.ts'
import type { Answer } from './answers.ts'
import { engineAnswer } from './answers.ts'
import type { Network } from './network.ts'

export interface Command {
  /** Party ids whose contracts are seen besides the actors'. */
  readonly readAs?: readonly string[]
  readonly disclosed?: readonly ContractRecord[]
  readonly run: (tx: Tx) => unknown
}

/** Submits for parties, by their names; whoever they are, they see rules and rounds. */
export async function submitAs(
  network: Network,
  actors: readonly string[],
  { run, readAs = [], disclosed = [] }: Command,
): Promise<Answer> {
  const { economy, parties } = network
  const actAs = actors.map((name) => parties.idOf(name))
  const disclosedContracts = [...(await economy.network.disclosures()), ...disclosed]
  return engineAnswer(
    await economy.engine.submit({
      actAs,
      readAs,
      userId: actors.join(' '),
      disclosedContracts,
      run,
    }),
  )
}

/** Inputs that pay, and their context. */
export interface Funding {
  readonly inputs: readonly TransferInput[]
  readonly context: PaymentTransferContext
  /** Party ids. */
  readonly readAs: readonly string[]
}

/**
 * Inputs as they were chosen, those of the treasury as it selects them; undefined while no round is
 * open.
 */
export async function fundingOf(
  network: Network,
  actor: string,
  inputs: InputChoice,
  idOf: (id: string) => string,
): Promise<Funding | undefined> {
  const { economy, parties } = network
  const funds = await readFunds(economy, parties.idOf(actor))
  if (funds === undefined) return undefined
  const { context, users, maxNumInputs } = funds
  if (inputs === 'treasury')
    return { context, readAs: users, inputs: selectInputs(funds, maxNumInputs) }
  const ids = inputs === 'all' ? await unlockedOf(network, actor) : inputs.map(idOf)
  return { context, readAs: [], inputs: ids.map((value) => ({ tag: 'InputCoin', value })) }
}

async function unlockedOf(
  { economy, parties }: Network,
  actor: string,
): Promise<readonly string[]> {
  return (await economy.reader.all(coin, { owner: parties.idOf(actor) })).map(({ id }) => id)
}

/** Holdings that a token-standard transfer takes: with `all`, also those whose lock is over. */
export async function holdingsOf(
  network: Network,
  actor: string,
  inputs: InputChoice,
  idOf: (id: string) => string,
): Promise<readonly string[]> {
  if (inputs !== 'all' && inputs !== 'treasury') return inputs.map(idOf)
  const {
    economy: { reader },
    parties,
    clock,
  } = network
  const locked = await reader.all(lockedCoin, { owner: parties.idOf(actor) })
  const open = locked
    .filter(({ payload }) => payload.lock.expiresAt <= clock.now)
    .map(({ id }) => id)
  return [...(await unlockedOf(network, actor)), ...open]
}

/** Opens a lock that is over, for its owner. */
export function reopen(tx: Tx, contractId: string): string {
  return tx.exercise(lockedCoinOwnerExpireLock, contractId, {}).coin
}

export interface TokenFactory {
  readonly factoryId: string
  readonly context: TokenContext
}

/**
 * As the registry gives it; or as who wants two steps makes it of the same, leaving the preapproval
 * out.
 */
export async function tokenFactory(
  { economy, parties }: Network,
  sender: string,
  receiver: string,
  isDirect: boolean,
): Promise<TokenFactory | PlainError> {
  const found = await transferContext(economy, {
    sender: parties.idOf(sender),
    receiver: parties.idOf(receiver),
  })
  if (found instanceof PlainError) return found
  const { factory } = found
  if (isDirect) return { factoryId: factory.id, context: found.context }
  const [coinRules, openRound] = await Promise.all([
    economy.network.coinRules(),
    economy.network.usableRound(),
  ])
  const context = choiceContext({
    coinRules,
    ...(openRound === undefined ? {} : { openRound }),
    others: [factory],
  })
  return { factoryId: factory.id, context }
}

export { extraArgsOf }
