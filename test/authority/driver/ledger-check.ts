// What happened on the ledger in a step, against what the step may do: nobody signs, loses or gains
// without cause, and coin is conserved.
import type { Effect } from '../model/verdict.ts'
import type { World } from '../model/state.ts'
import type { Delta } from './feed.ts'
import type { Violation } from './observe.ts'

export interface LedgerStep {
  readonly world: World
  readonly delta: Delta
  readonly before: ReadonlyMap<string, bigint>
  readonly after: ReadonlyMap<string, bigint>
  /** Undefined for what was refused. */
  readonly effect: Effect | undefined
}

export function checkLedger(step: LedgerStep): readonly Violation[] {
  const { delta, effect } = step
  if (effect === undefined) return untouched(delta)
  return [...checkSignatures(step, effect), ...checkCoins(step, effect)]
}

function untouched({ created, archived }: Delta): readonly Violation[] {
  const touched = [...created, ...archived].map(({ entity }) => entity)
  return touched.length === 0
    ? []
    : [{ rule: 'a refusal changes nothing', detail: `on the ledger: ${touched.join()}` }]
}

function checkSignatures({ world, delta }: LedgerStep, { acting }: Effect): readonly Violation[] {
  const may = new Set([...acting, ...world.setting.network])
  return delta.created.flatMap(({ entity, signatories }) => {
    const strangers = signatories.filter((party) => !may.has(party))
    return strangers.length === 0
      ? []
      : [{ rule: 'nobody signs without cause', detail: `${entity} signed by ${strangers.join()}` }]
  })
}

function checkCoins({ before, after }: LedgerStep, effect: Effect): readonly Violation[] {
  const changes = changesOf(before, after)
  const { moves, minted = 0n, acting, spending = acting } = effect
  const found = [...changes]
    .filter(([party, change]) => change < 0n && !spending.includes(party))
    .map(([party, change]) => ({
      rule: 'nobody spends for others',
      detail: `${party} has ${-change} less`,
    }))
  if (moves === undefined) return [...found, ...sumCheck(changes, minted)]
  const parties = new Set([...changes.keys(), ...moves.keys()])
  const wrong = [...parties].filter(
    (party) => (changes.get(party) ?? 0n) !== (moves.get(party) ?? 0n),
  )
  return [
    ...found,
    ...wrong.map((party) => ({
      rule: 'coin is conserved',
      detail: `${party}: ${changes.get(party) ?? 0n} instead of ${moves.get(party) ?? 0n}`,
    })),
  ]
}

function sumCheck(changes: ReadonlyMap<string, bigint>, minted: bigint): readonly Violation[] {
  const sum = [...changes.values()].reduce((total, change) => total + change, 0n)
  return sum === minted
    ? []
    : [{ rule: 'coin is conserved', detail: `the sum changed by ${sum} instead of ${minted}` }]
}

function changesOf(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  const changes = [...after].map(([party, amount]): [string, bigint] => [
    party,
    amount - (before.get(party) ?? 0n),
  ])
  return new Map(changes.filter(([, change]) => change !== 0n))
}
