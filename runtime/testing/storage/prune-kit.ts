// A random ledger, and everything that may be asked of it from an offset on.
import {
  aContract,
  append,
  createdAt,
  OTHER_ID,
  TEMPLATE,
  TEMPLATE_ID,
  updateAt,
  walk,
  walkSnapshot,
} from './ledger-kit.ts'
import type { CommitWrites, ContractRecord, Store } from '../../store/store.ts'

const PARTIES = ['ann', 'bob', 'cid']
const LENGTH = 24n

interface RandomLedger {
  readonly length: bigint
  readonly pruneAt: bigint
}

/**
 * Writes updates that create, move and archive contracts, also within one update, and leave lines,
 * facts and commands. The last one makes a contract and a line: a store may keep the newest of each
 * longer. The same seed, the same ledger.
 */
export async function randomLedger(store: Store, seed: number): Promise<RandomLedger> {
  const below = numbers(seed)
  const active: string[] = []
  for (let offset = 1n; offset < LENGTH; offset += 1n)
    await append(store, () => writesAt(offset, active, below))
  await append(store, (offset) => ({
    creates: createdAt(offset, aContract(`last-${offset}`)),
    logs: PARTIES.map((owner) => ({ log: 'l', owner, id: `${offset}`, body: '{}', offset })),
  }))
  return { length: LENGTH, pruneAt: BigInt(1 + below(Number(LENGTH) - 1)) }
}

function writesAt(
  offset: bigint,
  active: string[],
  below: (limit: number) => number,
): Partial<CommitWrites> {
  const gone = active.filter(() => below(3) === 0)
  const stayed = active.filter((id) => !gone.includes(id))
  const moved = stayed.filter(() => below(5) === 0)
  const fresh = Array.from({ length: below(4) }, (_, index) =>
    contractFor(`${offset}-${index}`, below),
  )
  active.splice(0, active.length, ...stayed, ...fresh.map(({ contractId }) => contractId))
  const brief = below(3) === 0 ? [contractFor(`${offset}-brief`, below)] : []
  const [owner = ''] = [PARTIES[below(PARTIES.length)]]
  return {
    updates: [{ ...updateAt(offset), seenBy: [owner] }],
    creates: [
      ...createdAt(offset, ...fresh),
      ...createdAt(offset, ...brief).map((state) => ({ ...state, archivedOffset: offset })),
    ],
    archives: gone.map((contractId) => ({ contractId, offset })),
    assignments: moved.map((contractId) => ({
      contractId,
      offset,
      synchronizerId: `s${below(2)}`,
    })),
    totals: [{ name: 'n', account: owner, amount: BigInt(below(9)), count: 1n }],
    logs: [{ log: 'l', owner, id: `${offset}`, body: '{}', offset }],
    facts: [
      { kind: 'kept', key: `${below(5)}`, body: `${offset}` },
      { kind: 'pruned', key: `${offset}`, body: `${offset}`, prunedWith: offset },
    ],
    commands: [{ key: `c${offset}`, updateId: `update-${offset}`, offset, keptUntil: 99n }],
  }
}

function contractFor(contractId: string, below: (limit: number) => number): ContractRecord {
  return aContract(contractId, {
    templateId: below(2) === 0 ? TEMPLATE_ID : OTHER_ID,
    signatories: PARTIES.filter(() => below(2) === 0),
    observers: PARTIES.filter(() => below(4) === 0),
    key1: PARTIES[below(PARTIES.length)] ?? '',
    rank: BigInt(below(5)),
  })
}

/** The answers to everything that may be asked from an offset on, by question. */
export async function ofAll(store: Store, from: bigint, end: bigint): Promise<unknown> {
  const { contracts, updates } = store
  const answers: unknown[] = []
  for (let offset = from; offset <= end; offset += 1n) {
    const later = offset > from
    for (const parties of [[], ...PARTIES.map((party) => [party])])
      answers.push(
        await walkSnapshot(store, offset, { parties }),
        await walkSnapshot(store, offset, { parties, templates: [TEMPLATE] }),
      )
    answers.push(
      await contracts.snapshot({ offset, templates: [], parties: [], after: 0n, limit: 999 }),
      await contracts.fact('pruned', later ? `${offset}` : ''),
      await contracts.command(`c${offset}`),
      later && (await updates.byOffset(offset)),
      later && (await contracts.updateAt(offset * 10n)),
    )
  }
  for (const owner of PARTIES) {
    const query = { log: 'l', owner, after: '', limit: 99 }
    const lines = await contracts.log(query)
    answers.push(
      lines.filter(({ id }) => BigInt(id) > from),
      await contracts.total({ name: 'n', account: owner }),
      await contracts.updatesSeenBy({ parties: [owner], after: from, limit: 99 }).then(offsets),
      await walk(store, {
        template: TEMPLATE,
        order: 'rank',
        key: { name: 'key1', value: owner },
        limit: 2,
      }),
    )
  }
  for (let offset = 1n; offset <= from; offset += 1n)
    answers.push(await contracts.command(`c${offset}`))
  const ids = await walkSnapshot(store, end)
  return [
    ...answers,
    await walk(store, { template: TEMPLATE, order: 'created-desc', limit: 3 }),
    await contracts.keys({ template: TEMPLATE, name: 'key1', after: '', limit: 9 }),
    await contracts.facts('kept', '', 9),
    await contracts.updatesAfter(from, 99),
    (await contracts.byIds(ids)).toSorted((one, other) =>
      one.contract.contractId < other.contract.contractId ? -1 : 1,
    ),
    await contracts.ledgerEnd(),
  ]
}

/** Offsets without those that the parties do not see, which a store may answer as well. */
function offsets({ updates }: Awaited<ReturnType<Store['contracts']['updatesSeenBy']>>): unknown {
  return updates
}

/** Whole numbers below a limit, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
