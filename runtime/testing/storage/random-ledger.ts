// A random ledger, and everything that may be asked of it from an offset on.
import {
  aContract,
  append,
  createdAt,
  OTHER,
  OTHER_ID,
  TEMPLATE,
  TEMPLATE_ID,
  updateAt,
  walk,
  walkSnapshot,
} from './ledger-kit.ts'
import { LedgerModel } from './ledger-model.ts'
import type { Asked } from './ledger-model.ts'
import type { CommitWrites, ContractRecord, KeyName, Store } from '../../store/store.ts'

const PARTIES = ['ann', 'bob', 'cid']
const FOREIGN = 'another:Module.Deep:Entity'
const TEMPLATES = [TEMPLATE, OTHER, FOREIGN]
/** Contracts of two versions of one template, of another one, and of one in another package. */
const KINDS = [
  { templateId: TEMPLATE_ID },
  { templateId: TEMPLATE_ID.replace('ab', 'ef') },
  { templateId: OTHER_ID },
  { templateId: TEMPLATE_ID, packageName: 'another' },
]
const FACT_KEYS = ['b', 'a', 'B', '😀', '\u{FFFF}', 'aa']
/** None of them for `key3` of most contracts. */
const KEYS: readonly { readonly name: KeyName; readonly value: string }[] = [
  ...[...PARTIES, 'Ann', ''].map((value) => ({ name: 'key1', value }) as const),
  ...['x', 'y', ''].map((value) => ({ name: 'key2', value }) as const),
  { name: 'key3', value: 'x' },
]
const ORDERS = ['created', 'created-desc', 'rank', 'rank-desc'] as const
const ALL = 999

type Below = (limit: number) => number

/**
 * A store that is written at random, and the model of what is in it. The same seed, the same
 * ledger.
 */
export class RandomLedger {
  readonly model = new LedgerModel()
  readonly #store: Store
  readonly #below: Below
  #active: readonly string[] = []
  #end = 0n

  constructor(store: Store, seed: number) {
    this.#store = store
    this.#below = numbers(seed)
  }

  get end(): bigint {
    return this.#end
  }

  /**
   * Commits of one to three updates, which create, move and archive contracts, also within one
   * commit. The last one makes a contract and a line for everybody: a store may keep the newest of
   * each longer.
   */
  async write(commits: number): Promise<void> {
    for (let number = 0; number < commits; number += 1) await this.#commit(() => this.#writes())
    await this.#commit(() => {
      const offset = this.#end + 1n
      const last = aContract(`last-${offset}`)
      return {
        updates: [updateAt(offset)],
        creates: createdAt(offset, last),
        logs: PARTIES.map((owner) => ({ log: 'l', owner, id: `${offset}`, body: '{}', offset })),
      }
    })
  }

  /** Up to an offset between the first and the last; answers it. */
  async prune(): Promise<bigint> {
    const upTo = BigInt(1 + this.#below(Number(this.#end) - 1))
    await this.#store.updates.prune(upTo)
    this.model.prune(upTo)
    return upTo
  }

  async #commit(make: () => Partial<CommitWrites>): Promise<void> {
    const writes = make()
    await append(
      this.#store,
      () => writes,
      (all) => this.model.write(all),
    )
    this.#end = writes.updates?.at(-1)?.offset ?? this.#end
  }

  #writes(): Partial<CommitWrites> {
    const below = this.#below
    const first = this.#end + 1n
    const updates = Array.from({ length: 1 + below(3) }, (_none, index) => ({
      ...updateAt(first + BigInt(index)),
      seenBy: PARTIES.filter(() => below(2) === 0),
    }))
    const last = first + BigInt(updates.length - 1)
    const any = (): bigint => first + BigInt(below(updates.length))
    const gone = this.#active.filter(() => below(3) === 0)
    const stayed = this.#active.filter((id) => !gone.includes(id))
    const fresh = Array.from({ length: below(4) }, (_none, index) =>
      contractFor(`${first}-${index}`, below),
    )
    const brief = below(3) === 0 ? [contractFor(`${first}-brief`, below)] : []
    this.#active = [...stayed, ...fresh.map(({ contractId }) => contractId)]
    const owner = PARTIES[below(PARTIES.length)] ?? ''
    const key = FACT_KEYS[below(FACT_KEYS.length)] ?? ''
    return {
      updates,
      creates: [
        ...createdAt(first, ...fresh),
        ...createdAt(first, ...brief).map((state) => ({ ...state, archivedOffset: last })),
      ],
      archives: gone.map((contractId) => ({ contractId, offset: last })),
      assignments: updates.flatMap(({ offset }) =>
        [...stayed, ...gone]
          .filter(() => below(5) === 0)
          .map((contractId) => ({
            contractId,
            offset,
            synchronizerId: ['', 's1', 's2'][below(3)] ?? '',
          })),
      ),
      totals: [{ name: 'n', account: owner, amount: BigInt(below(9)) - 4n, count: 1n }],
      logs: updates.map(({ offset }) => ({
        log: below(5) === 0 ? 'm' : 'l',
        owner,
        id: `${offset}`,
        body: `{"at":${offset}}`,
        offset,
      })),
      facts: [
        { kind: 'kept', key, body: `${first}` },
        { kind: 'either', key, body: `${first}`, ...(below(2) === 0 ? {} : { prunedWith: any() }) },
      ],
      commands: [
        { key: `c${below(9)}`, updateId: `update-${first}`, offset: first, keptUntil: 99n },
      ],
    }
  }
}

function contractFor(contractId: string, below: Below): ContractRecord {
  return aContract(contractId, {
    ...KINDS[below(KINDS.length)],
    signatories: PARTIES.filter(() => below(2) === 0),
    observers: PARTIES.filter(() => below(4) === 0),
    key1: PARTIES[below(PARTIES.length)] ?? '',
    key2: ['x', 'y', ''][below(3)] ?? '',
    key3: below(4) === 0 ? 'x' : '',
    rank: BigInt(below(5)),
  })
}

/** The answers to everything that may be asked from an offset on, in pages of several lengths. */
export async function answersOf(contracts: Asked, from: bigint): Promise<readonly unknown[]> {
  const end = await contracts.ledgerEnd()
  const answers: unknown[] = [end]
  let asked = 0
  const limit = (): number => [1, 4, ALL][(asked += 1) % 3] ?? ALL
  for (const template of TEMPLATES)
    for (const key of [undefined, ...KEYS])
      for (const order of ORDERS)
        for (const maxRank of [undefined, 2n]) {
          const bounds = { ...(key && { key }), ...(maxRank === undefined ? {} : { maxRank }) }
          answers.push(await walk({ contracts }, { template, order, limit: limit(), ...bounds }))
        }
  for (const template of TEMPLATES) {
    for (const name of ['key1', 'key2', 'key3'] as const)
      answers.push((await walkKeys(contracts, template, name, limit())).toSorted())
    for (const key of KEYS) answers.push(await contracts.count({ template, key, limit: limit() }))
    for (const one of PARTIES)
      for (const parties of [[one], [one, 'ann'], [one, 'nobody']] as const)
        answers.push(await contracts.countStakes({ template, parties, limit: limit() }))
  }
  for (let { offset } = { offset: from }; offset <= end.offset + 1n; offset += 1n) {
    const templates = [TEMPLATE, OTHER].slice(asked % 3)
    for (const parties of [[], ...PARTIES.map((party) => [party]), ['bob', 'ann', 'bob']])
      answers.push(
        await walkSnapshot({ contracts }, offset, { parties, templates, limit: limit() }),
      )
    const whole = { offset, templates: [], parties: [], after: 0n, limit: ALL }
    answers.push(
      (await contracts.snapshot(whole)).map((found) => [
        found.contract,
        found.synchronizerId,
        found.createdOffset,
      ]),
      await contracts.updatesAfter(offset, limit()),
    )
    if (offset > from)
      for (const time of [offset * 10n, offset * 10n + 5n])
        answers.push(await contracts.updateAt(time))
  }
  for (const owner of [...PARTIES, 'nobody']) {
    for (const log of ['l', 'm'])
      for (const after of ['', `${end.offset}`, 'nothing'])
        answers.push(await contracts.log({ log, owner, after, limit: limit() }))
    answers.push(await contracts.total({ name: 'n', account: owner }))
  }
  for (const kind of ['kept', 'either', 'other'])
    for (const after of ['', 'a', '\u{FFFF}'])
      answers.push(await contracts.facts(kind, after, limit()))
  for (let number = 0; number < 9; number += 1) answers.push(await contracts.command(`c${number}`))
  const there = await contracts.snapshot({
    offset: end.offset,
    templates: [],
    parties: [],
    after: 0n,
    limit: ALL,
  })
  const ids = there.map(({ contract }) => contract.contractId)
  const states = await contracts.byIds(ids)
  answers.push(states.toSorted((a, b) => (a.contract.contractId < b.contract.contractId ? -1 : 1)))
  return answers
}

async function walkKeys(
  contracts: Pick<Asked, 'keys'>,
  template: string,
  name: KeyName,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = []
  for (;;) {
    const page = await contracts.keys({ template, name, after: found.at(-1) ?? '', limit })
    found.push(...page)
    if (page.length < limit) return found
  }
}

/** Whole numbers below a limit, the same for the same seed. */
function numbers(seed: number): Below {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
