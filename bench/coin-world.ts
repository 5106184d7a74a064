// The coin economy as the service puts it together, over an SQLite file or a PostgreSQL database,
// for benchmarks in process: network, parties, coins, transfers.
import { hash } from 'node:crypto'
import { openSqlStore } from '../plugins/storage-sql/open.ts'
import { coin, coinRulesTransfer, expiringAmount } from '../runtime/contracts/index.ts'
import { systemClock } from '../runtime/host/clock.ts'
import type { HostClock } from '../runtime/host/plugin.ts'
import { PrincipalDirectory } from '../runtime/access/principal.ts'
import type { Economy } from '../runtime/economy/economy.ts'
import { createEconomy } from '../runtime/economy/network/create-economy.ts'
import { ensureNetwork } from '../runtime/economy/network/genesis.ts'
import { settleIds } from '../runtime/economy/network/ids.ts'
import { readServiceSettings } from '../runtime/interfaces/settings.ts'
import { walletProjectors } from '../runtime/economy/wallets/projectors.ts'
import { createUserKeeper } from '../runtime/economy/wallets/user-keeper.ts'
import type { Contract, Staged, Submission } from '../runtime/engine/index.ts'
import type { ContractRecord, Store } from '../runtime/store/store.ts'
import type { OpenMiningRound, TransferResult } from '../generated/contracts.gen.ts'

const ONE = 10_000_000_000n
/** Traffic that never ends; it is counted and charged anyway. */
const TRAFFIC = { baseBurstBytes: Number.MAX_SAFE_INTEGER }
const COINS_AT_ONCE = 500
/** The plugin's own default. */
const POOL_SIZE = 10

/** A coin that can be spent. */
export interface Held {
  readonly id: string
  readonly amount: bigint
}

export interface CoinWorld {
  readonly economy: Economy
  /** One submission of a transfer of coins into one for the receiver and one with the change. */
  transfer(sender: string, receiver: string, inputs: readonly Held[]): Submission<TransferResult>
  /** Takes the rounds and rules of now for what comes. */
  refresh(): Promise<void>
  /** Coins of 100, `each` for every owner. */
  mint(owners: readonly string[], each: number): Promise<void>
  coinsOf(owner: string): Promise<Held[]>
  close(): Promise<void>
}

/** Holdings that a transfer of `inputs` leaves to the receiver, and to the sender. */
export function split(
  inputs: readonly Held[],
  { createdCoins, senderChangeCoin }: TransferResult,
): readonly [Held, Held] {
  const [created] = createdCoins
  if (created === undefined || senderChangeCoin === null)
    throw new Error('a transfer without change')
  const paid = paidOf(inputs)
  return [
    { id: created.value, amount: paid },
    { id: senderChangeCoin, amount: totalOf(inputs) - paid },
  ]
}

/** The id of a party as this node would name it. */
export function partyName(index: number): string {
  return `party-${index}::1220${hash('sha256', 'bench')}`
}

/** Throws what was refused. */
export function staged<R>(
  outcome: Staged<R> | { readonly ok: false; readonly kind: string },
): Staged<R> {
  if (!outcome.ok)
    throw new Error(
      `refused: ${JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
    )
  return outcome
}

/**
 * Opens or makes the network in `place`, a file or the URL of a PostgreSQL database; `watched` may
 * stand before its store.
 */
export async function openCoinWorld(
  place: string,
  watched: (store: Store) => Store = (store) => store,
  clock: HostClock = systemClock,
): Promise<CoinWorld> {
  const store = watched(
    await openSqlStore(
      place.startsWith('postgres:')
        ? { dialect: 'postgres', connection: place, poolSize: POOL_SIZE }
        : { dialect: 'sqlite', file: place },
    ),
  )
  const read = readServiceSettings({
    ledger: {},
    network: { traffic: TRAFFIC },
    validator: {},
    wireNames: {},
  })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  let names = 0
  const economy = await createEconomy({
    store,
    clock,
    ids: await settleIds({ store, settings: read.settings, profile: 'dev' }),
    settings: read.settings,
    profile: 'dev',
    newName: () => `bench-${names++}`,
    projectors: walletProjectors,
  })
  await ensureNetwork(
    economy,
    createUserKeeper(store, new PrincipalDirectory(store, clock)),
    '1.0.0',
  )
  let network = await readNetwork(economy)
  return {
    economy,
    transfer: (sender, receiver, inputs) =>
      transferOf(network, {
        sender,
        receiver,
        inputs,
        commandId: `transfer-${names++}-${process.pid}`,
      }),
    refresh: async () => {
      network = await readNetwork(economy)
    },
    mint: (owners, each) => mint(economy, network, owners, each),
    coinsOf: async (owner) =>
      (await economy.reader.all(coin, { owner })).map(({ id, payload }) => ({
        id,
        amount: payload.amount.initialAmount,
      })),
    close: async () => {
      await economy.engine.drain()
      await store.close()
    },
  }
}

/** Contracts that every transfer refers to, read once: no round closes while a benchmark runs. */
interface Network {
  readonly dso: string
  readonly rulesCid: string
  readonly round: Contract<OpenMiningRound>
  readonly disclosedContracts: readonly ContractRecord[]
}

async function readNetwork({ network, parties: { dso } }: Economy): Promise<Network> {
  const [{ id: rulesCid }, round, disclosedContracts] = await Promise.all([
    network.coinRules(),
    network.usableRound(),
    network.disclosures(),
  ])
  if (round === undefined) throw new Error('no round is open')
  return { dso, rulesCid, round, disclosedContracts }
}

interface Payment {
  readonly sender: string
  readonly receiver: string
  readonly inputs: readonly Held[]
  readonly commandId: string
}

function transferOf(
  network: Network,
  { sender, receiver, inputs, commandId }: Payment,
): Submission<TransferResult> {
  const { dso: expectedDso, rulesCid, round, disclosedContracts } = network
  const outputs = [
    { receiver, receiverFeeRatio: 0n, amount: paidOf(inputs), lock: null, meta: null },
  ]
  const transfer = {
    sender,
    provider: sender,
    outputs,
    beneficiaries: null,
    inputs: inputs.map(({ id: value }) => ({ tag: 'InputCoin' as const, value })),
  }
  const context = {
    openMiningRound: round.id,
    issuingMiningRounds: [],
    validatorRights: [],
    featuredAppRight: null,
  }
  return {
    actAs: [sender, receiver],
    userId: 'bench',
    commandId,
    disclosedContracts,
    run: (tx) => tx.exercise(coinRulesTransfer, rulesCid, { transfer, context, expectedDso }),
  }
}

async function mint(
  { engine }: Economy,
  { dso, round }: Network,
  owners: readonly string[],
  each: number,
): Promise<void> {
  const amount = expiringAmount(round.payload, 100n * ONE)
  const step = Math.max(1, Math.floor(COINS_AT_ONCE / each))
  for (let from = 0; from < owners.length; from += step) {
    const some = owners.slice(from, from + step)
    const outcome = await engine.submit({
      actAs: [dso, ...some],
      userId: 'bench',
      free: true,
      run: (tx) =>
        some.forEach((owner) => {
          for (let count = 0; count < each; count++) tx.create(coin, { dso, owner, amount })
        }),
    })
    if (!outcome.ok) throw new Error(`the coins were refused: ${outcome.kind}`)
  }
}

function totalOf(inputs: readonly Held[]): bigint {
  return inputs.reduce((sum, { amount }) => sum + amount, 0n)
}

/** A third, so that both sides have enough for long. */
function paidOf(inputs: readonly Held[]): bigint {
  return totalOf(inputs) / 3n + 1n
}
