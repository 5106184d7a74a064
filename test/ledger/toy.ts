// A ledger of ious for the tests of the engine: small templates with every kind of choice, on an
// empty store.
import { randomBytes } from 'node:crypto'
import {
  bool,
  contractId,
  int,
  list,
  optional,
  party,
  record,
  text,
  unit,
} from '../../generated/contract-codec.gen.ts'
import {
  bindTemplate,
  choice,
  createEngine,
  createReader,
  defineTemplate,
  seedSource,
} from '../../runtime/engine/index.ts'
import { newStore } from '../support/test-store.ts'
import type { Codec } from '../../generated/contract-codec.gen.ts'
import type {
  ChoiceType,
  Engine,
  EngineOptions,
  Reader,
  TemplateType,
  Tx,
} from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { Batches } from '../../runtime/work/batches.ts'
import { payersInTurn } from '../../runtime/work/order.ts'
import type { Order } from '../../runtime/engine/order.ts'

const PACKAGE = 'ab'.repeat(32)
export const TRADABLE = `${PACKAGE}:Toy:Tradable`

function templateType<T>(
  name: string,
  payload: Codec<T>,
  interfaces: readonly string[] = [],
): Omit<TemplateType<T>, 'keys'> & { readonly keys: Readonly<Record<never, never>> } {
  return {
    id: `${PACKAGE}:Toy:${name}`,
    reference: `toy:Toy:${name}`,
    packageId: PACKAGE,
    packageName: 'toy',
    packageVersion: '1.0.0',
    name,
    payload,
    keys: {},
    interfaces,
    earlier: [],
  }
}

function choiceType<A, R>(
  template: { readonly id: string },
  name: string,
  consuming: boolean,
  argument: Codec<A>,
  result: Codec<R>,
): ChoiceType<A, R> {
  return { name, templateId: template.id, consuming, argument, result }
}

export interface Iou {
  readonly issuer: string
  readonly owner: string
  readonly amount: bigint
  readonly watchers: readonly string[]
}

export const IouType = {
  ...templateType(
    'Iou',
    record<Iou>({ issuer: party, owner: party, amount: int, watchers: list(party) }),
    [TRADABLE],
  ),
  keys: {
    owner: { column: 'key1', kind: 'text' },
    issuer: { column: 'key2', kind: 'text' },
  },
} as const
export const iou = defineTemplate(IouType, {
  signatories: ({ issuer, owner }) => [issuer, owner],
  observers: ({ watchers }) => watchers,
  ensure: ({ amount }) => amount > 0n,
  keys: ({ owner, issuer }) => ({ owner, issuer }),
  rank: ({ amount }) => amount,
  totals: ({ owner, amount }) => [
    { name: 'ious', account: owner, amount },
    { name: 'supply', account: '', amount },
  ],
  views: { [TRADABLE]: ({ owner, amount }) => ({ owner, amount: amount.toString() }) },
})

export const iouSplit = choice(iou, choiceType(IouType, 'Iou_Split', true, int, list(contractId)), {
  controllers: ({ owner }) => [owner],
  run: (tx: Tx, { payload }, amount) => {
    tx.require(amount < payload.amount, 'the part is smaller than the whole')
    return [amount, payload.amount - amount].map((part) =>
      tx.create(iou, { ...payload, amount: part }),
    )
  },
})

/** Hooks before and after `Iou_Peek`, for tests that need code in the middle of a choice. */
export const peekHooks: { run: (tx: Tx, id: string) => string } = { run: () => 'seen' }

export const iouPeek = choice(iou, choiceType(IouType, 'Iou_Peek', false, list(party), text), {
  controllers: (_, viewers) => viewers,
  observers: () => ['peek-observer'],
  run: (tx, { id }) => peekHooks.run(tx, id),
})

export const tradableGive: ChoiceType<string, string> = {
  name: 'Tradable_Give',
  templateId: TRADABLE,
  interfaceId: TRADABLE,
  consuming: true,
  argument: party,
  result: contractId,
}

export const iouGive = choice(iou, tradableGive, {
  controllers: ({ owner }, to) => [owner, to],
  run: (tx, { payload }, to) => tx.create(iou, { ...payload, owner: to }),
})

export interface Rules {
  readonly operator: string
  readonly isOpen: boolean
}

export const RulesType = templateType('Rules', record<Rules>({ operator: party, isOpen: bool }))
export const rules = defineTemplate(RulesType, { signatories: ({ operator }) => [operator] })

export interface Transfer {
  readonly from: string
  readonly to: string
  readonly inputs: readonly string[]
  readonly amount: bigint
}

const TransferArgument = record<Transfer>({
  from: party,
  to: party,
  inputs: list(contractId),
  amount: int,
})

export interface TransferResult {
  readonly sent: string
  readonly change: string | null
}

const TransferResult = record<TransferResult>({ sent: contractId, change: optional(contractId) })

/** Signed by the operator, who issues: what a coin's transfer looks like. */
export const rulesTransfer = choice(
  rules,
  choiceType(RulesType, 'Rules_Transfer', false, TransferArgument, TransferResult),
  {
    controllers: (_, { from, to }) => [from, to],
    run: (tx: Tx, { payload: { operator } }, { from, to, inputs, amount }) => {
      const total = inputs.reduce((sum, id) => sum + take(tx, id, from), 0n)
      tx.require(total >= amount, 'the inputs suffice')
      const make = (owner: string, part: bigint): string =>
        tx.create(iou, { issuer: operator, owner, amount: part, watchers: [] })
      const sent = make(to, amount)
      return { sent, change: total === amount ? null : make(from, total - amount) }
    },
  },
)

function take(tx: Tx, id: string, owner: string): bigint {
  const held = tx.fetch(iou, id)
  tx.require(held.owner === owner, 'the input belongs to the sender')
  tx.archive(iou, id)
  return held.amount
}

export interface Timed {
  readonly owner: string
  readonly opens: bigint
  readonly closes: bigint
}

export const TimedType = templateType(
  'Timed',
  record<Timed>({ owner: party, opens: int, closes: int }),
)
export const timed = defineTemplate(TimedType, { signatories: ({ owner }) => [owner] })
export const timedUse = choice(timed, choiceType(TimedType, 'Timed_Use', true, unit, unit), {
  controllers: ({ owner }) => [owner],
  run: (tx, { payload: { opens, closes } }) => {
    tx.notBefore(opens)
    tx.before(closes)
    return {}
  },
})

/** Signed by a list that may be empty. */
export const SheetType = templateType(
  'Sheet',
  record<{ readonly signers: readonly string[]; readonly readers: readonly string[] }>({
    signers: list(party),
    readers: list(party),
  }),
)
export const sheet = defineTemplate(SheetType, {
  signatories: ({ signers }) => signers,
  observers: ({ readers }) => readers,
})

/** Exercises itself ever deeper, creating nothing. */
export const sheetDescend = choice(sheet, choiceType(SheetType, 'Sheet_Descend', false, int, int), {
  controllers: ({ signers }) => signers,
  run: (tx, { id }, depth): bigint =>
    depth === 0n ? 0n : tx.exercise(sheetDescend, id, depth - 1n) + 1n,
})

export const templates = [
  bindTemplate(iou, {
    Iou_Split: iouSplit,
    Iou_Peek: iouPeek,
    Tradable_Give: iouGive,
  }),
  bindTemplate(rules, { Rules_Transfer: rulesTransfer }),
  bindTemplate(timed, { Timed_Use: timedUse }),
  bindTemplate(sheet, { Sheet_Descend: sheetDescend }),
]

export const SYNCHRONIZER = 'sync::1220aa'

export interface Toy {
  readonly engine: Engine
  readonly reader: Reader
  readonly store: ContractStore
  /** Microseconds; tests set it. */
  readonly clock: { now: bigint; nowMicros(): bigint }
}

/** Updates that are submitted together share a batch, however slow the machine is. */
export const unhurried: Order = {
  ...payersInTurn,
  batches: (most) =>
    new Batches({ most, turn: () => undefined, charge: () => undefined, nowMs: () => 0 }),
}

export const START = 1_700_000_000_000_000n

export async function createToy(options: Partial<EngineOptions> = {}): Promise<Toy> {
  const clock = { now: START, nowMicros: () => clock.now }
  const store = options.store ?? (await newStore()).contracts
  const engine = createEngine({
    order: payersInTurn,
    store,
    clock,
    newSeed: seedSource(randomBytes),
    templates,
    synchronizerId: SYNCHRONIZER,
    ...options,
  })
  return { engine, reader: createReader(store, engine.synchronizerId, engine.cache), store, clock }
}

/** The outcome, which must be good. */
export function must<T extends { readonly ok: boolean }>(
  outcome: T,
): Extract<T, { readonly ok: true }> {
  if (isGood(outcome)) return outcome
  throw new Error(
    `refused: ${JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}`,
  )
}

function isGood<T extends { readonly ok: boolean }>(
  outcome: T,
): outcome is Extract<T, { readonly ok: true }> {
  return outcome.ok
}

/** Commits an iou and answers its id. */
export async function issue(
  toy: Toy,
  owner: string,
  amount: bigint,
  watchers: readonly string[] = [],
): Promise<string> {
  const run = (tx: Tx): string => tx.create(iou, { issuer: 'bank', owner, amount, watchers })
  return must(await toy.engine.submit({ actAs: ['bank', owner], userId: '', run })).result
}

/** Creates as many ious of a party for itself; answers the ids. */
export const make =
  (owner: string, count: number) =>
  (tx: Tx): readonly string[] =>
    Array.from({ length: count }, () =>
      tx.create(iou, { issuer: owner, owner, amount: 5n, watchers: [] }),
    )

/** A submission that counts against the party who acts. */
export function paidBy<R>(party: string, run: (tx: Tx) => R) {
  const take = () => ({ whose: party, what: 'all', leaves: 0n })
  return { actAs: [party], userId: party, run, claim: { payer: party, take } }
}
