// A network for bench/scale.ts in which one thing is many: contracts of others, coins of the
// reader, archived contracts, parties or users. And what is measured in it: reads and a payment of
// one party, and a poll of every automation where nothing is to be done.
import { setUpAutomations } from '../test/support/automations.ts'
import { coin } from '../runtime/contracts/index.ts'
import { Treasury } from '../runtime/economy/treasury/index.ts'
import { balanceOf } from '../runtime/interfaces/validator/wallet/holdings.ts'
import { boundedList } from '../runtime/interfaces/ledger/streams/bounded-list.ts'
import { openActiveContracts } from '../runtime/interfaces/ledger/streams/active-contracts.ts'
import { openUpdates } from '../runtime/interfaces/ledger/streams/updates.ts'
import { SharedPages } from '../runtime/interfaces/ledger/streams/shared-pages.ts'
import { LedgerTail } from '../runtime/interfaces/ledger/streams/tail.ts'
import { Submissions } from '../runtime/interfaces/ledger/commands/submissions.ts'
import type { StreamReads } from '../runtime/interfaces/ledger/streams/reads.ts'
import type { Store } from '../runtime/store/store.ts'
import { VettedPackages } from '../runtime/participant/packages/vetted-packages.ts'
import { openCoinWorld, partyName, split } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'

export type Axis = 'others' | 'own' | 'archived' | 'parties' | 'users'

export interface ScaleWorld {
  /** Operations by name. */
  readonly operations: Readonly<Record<string, () => Promise<unknown>>>
  /** Read from contracts so far. */
  rows(): number
  close(): Promise<void>
}

const ME = partyName(0)
const OWN_COINS = 50
const COINS_EACH = 100
const ARCHIVED_AT_ONCE = 250
const LIMITS = { elements: 10_000, bytes: 100_000_000 }
const LIST = { isPaged: false, stream_idle_timeout_ms: 0n }

/** Makes it in an empty place. */
export async function openScaleWorld(place: string, axis: Axis, size: number): Promise<ScaleWorld> {
  let rows = 0
  const world = await openCoinWorld(place, (store) => countingRows(store, (read) => (rows += read)))
  await world.mint([ME], axis === 'own' ? size : OWN_COINS)
  await plant(world, axis, size)
  const services = { economy: world.economy, treasury: new Treasury(world.economy) }
  const automations = await setUpAutomations(services)
  const polls = automations.services.map(({ name }) => [
    `poll of ${name}`,
    () => automations.run(name),
  ])
  return {
    operations: {
      ...readsOf(world, axis),
      transfer: await payer(world),
      ...Object.fromEntries(polls),
    },
    rows: () => rows,
    close: async () => {
      await automations.stop()
      await world.close()
    },
  }
}

/** Pays itself out of the same two coins again and again, so that nothing grows but the ledger. */
async function payer(world: CoinWorld): Promise<() => Promise<void>> {
  let held: readonly Held[] = (await world.coinsOf(ME)).slice(0, 2)
  return async () => {
    const outcome = await world.economy.engine.submit(world.transfer(ME, ME, held))
    if (!outcome.ok) throw new Error(`a transfer was refused: ${outcome.kind}`)
    held = split(held, outcome.result)
  }
}

function readsOf(world: CoinWorld, axis: Axis): ScaleWorld['operations'] {
  const { economy } = world
  const { reader, store, engine } = economy
  const reads: StreamReads = {
    store,
    tail: new LedgerTail(engine),
    pages: new SharedPages(store),
    templateOf: ({ templateId }) => engine.template(templateId),
    ready: (templateIds) => engine.ready(templateIds),
    synchronizerId: engine.synchronizerId,
    hosted: undefined,
    uploaded: new VettedPackages(store.packages, new Set()),
    submissions: new Submissions(),
  }
  const { signal } = new AbortController()
  const eventFormat = { filtersByParty: { [ME]: {} } }
  const updateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' as const, eventFormat },
  }
  const end = () => store.updates.ledgerEnd()
  return {
    balance: () => balanceOf(economy, ME),
    'page of holdings': () => reader.active(coin, { owner: ME }, { limit: OWN_COINS }),
    'largest holdings': () =>
      reader.active(coin, { owner: ME }, { order: 'rank-desc', limit: OWN_COINS }),
    user: () => store.users.get('user-1'),
    'page of users': () =>
      store.users.list({ identityProviderId: '', after: 'user-', limit: OWN_COINS }),
    party: () => store.parties.get([ME]),
    // With its own coins both grow with the answer.
    ...(axis === 'own'
      ? {}
      : {
          'active contracts': async () =>
            boundedList(
              async () =>
                openActiveContracts(
                  reads,
                  { eventFormat, activeAtOffset: await end() },
                  { signal },
                ),
              LIST,
              LIMITS,
              signal,
            ),
        }),
    // Archived ones are the reader's own history, half of them.
    ...(axis === 'own' || axis === 'archived'
      ? {}
      : {
          'updates from the start': async () =>
            boundedList(
              async (reading) =>
                openUpdates(
                  reads,
                  { beginExclusive: 0n, endInclusive: await end(), updateFormat },
                  reading,
                ),
              LIST,
              LIMITS,
              signal,
            ),
        }),
  }
}

async function plant(world: CoinWorld, axis: Axis, size: number): Promise<void> {
  if (axis === 'others') await world.mint(others(size / COINS_EACH), COINS_EACH)
  if (axis === 'archived') await plantArchived(world, size)
  const { parties, users } = world.economy.store
  const count = axis === 'parties' || axis === 'users' ? size : 1
  for (let index = 0; index < count; index += 1) {
    if (axis !== 'users' || index === 0)
      await parties.allocate(
        {
          party: partyName(index),
          isLocal: true,
          identityProviderId: '',
          annotations: {},
          topology: '',
        },
        undefined,
      )
    if (axis === 'users' || index === 0)
      await users.create(
        {
          id: `user-${index + 1}`,
          primaryParty: '',
          isDeactivated: false,
          primaryPartyAuthentication: false,
          identityProviderId: '',
          annotations: {},
        },
        [],
      )
  }
}

/** Half of them the reader's own. */
async function plantArchived(world: CoinWorld, size: number): Promise<void> {
  const { engine, parties } = world.economy
  for (let made = 0; made < size; made += ARCHIVED_AT_ONCE) {
    const owner = (made / ARCHIVED_AT_ONCE) % 2 === 0 ? ME : partyName(1)
    await world.mint([owner], ARCHIVED_AT_ONCE)
    const held = (await world.coinsOf(owner)).slice(-ARCHIVED_AT_ONCE)
    const outcome = await engine.submit({
      actAs: [parties.dso, owner],
      userId: 'bench',
      free: true,
      run: (tx) => held.forEach(({ id }) => tx.archive(coin, id)),
    })
    if (!outcome.ok) throw new Error(`the coins stay: ${outcome.kind}`)
  }
}

function others(count: number): readonly string[] {
  return Array.from({ length: count }, (_none, index) => partyName(index + 1))
}

/** The same store; tells of the rows that reads of contracts answer. */
function countingRows(store: Store, read: (rows: number) => void): Store {
  const contracts = new Proxy(store.contracts, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return async (...given: readonly unknown[]) => {
        const answer: unknown = await Reflect.apply(method, target, given)
        read(rowsIn(answer))
        return answer
      }
    },
  })
  return { ...store, contracts }
}

function rowsIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length
  const updates =
    typeof answer === 'object' && answer !== null && 'updates' in answer
      ? answer.updates
      : undefined
  return Array.isArray(updates) ? updates.length : Number(answer !== undefined)
}
