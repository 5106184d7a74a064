// Faults planted in the real engine, services and store, by the ids of faults.ts; those of
// contracts have a file of their own. They begin when the network is there.
import {
  transferOfferReject,
  coinTransferInstructionReject,
} from '../../../runtime/contracts/index.ts'
import type { Clock } from '../../../runtime/host/plugin.ts'
import type { Submission } from '../../../runtime/engine/index.ts'
import type { Economy, NetworkState } from '../../../runtime/economy/economy.ts'
import { StoreConflict } from '../../../runtime/store/rules.ts'
import type { CommitFacts, CommitWrites, ContractStore } from '../../../runtime/store/store.ts'
import { overwrite, recommit, together } from './alter.ts'
import { CONTRACT_PLANTS } from './plants-contract.ts'

export interface Plant {
  readonly store?: (inner: ContractStore) => ContractStore
  readonly economy?: (inner: Economy) => Economy
  readonly clock?: (inner: Clock) => Clock
  /** The network is there: from now on it may go wrong. Answers how to undo it. */
  readonly start?: () => () => void
  /** Who acts next, as a party id. */
  readonly actor?: (party: string) => void
}

/** Whether it has begun. */
type IsOn = () => boolean

function switched(make: (isOn: IsOn) => Omit<Plant, 'start'>): Plant {
  let isOn = false
  return {
    ...make(() => isOn),
    start: () => {
      isOn = true
      return () => undefined
    },
  }
}

function onWrites(change: (writes: CommitWrites, truth: CommitFacts) => CommitWrites): Plant {
  return switched((isOn) => ({
    store: (inner) =>
      recommit(inner, { writes: (writes, truth) => (isOn() ? change(writes, truth) : writes) }),
  }))
}

function onSubmit(
  change: <R>(submission: Submission<R>, economy: Economy) => Submission<R>,
): Plant {
  return switched((isOn) => ({
    economy: (inner) => ({
      ...inner,
      engine: {
        ...inner.engine,
        submit: (asked) => inner.engine.submit(isOn() ? change(asked, inner) : asked),
      },
    }),
  }))
}

function onNetwork(
  change: (network: NetworkState, economy: Economy) => Partial<NetworkState>,
): Plant {
  return {
    economy: (inner) => ({
      ...inner,
      network: { ...inner.network, ...change(inner.network, inner) },
    }),
  }
}

const OFFERS = 'wallet.transfer-offer'
const OFFER_COMMAND = 'wallet-transfer-offer'
const LAG = 1_200_000_000n
const EVERY = 25

function withoutCommandId<R>({ commandId: _, ...submission }: Submission<R>): Submission<R> {
  return submission
}

/**
 * Archived contracts look active, to readers and to commits; only what is really there is archived.
 */
function unconditional(inner: ContractStore, isOn: IsOn): ContractStore {
  const writes = recommit(inner, {
    facts: (facts) =>
      !isOn()
        ? facts
        : {
            ...facts,
            states: new Map(
              [...facts.states].map(([id, state]) => [id, { ...state, archivedOffset: 0n }]),
            ),
          },
    writes: (asked, { states }) => ({
      ...asked,
      archives: asked.archives.filter(
        ({ contractId }) => !isOn() || states.get(contractId)?.archivedOffset === 0n,
      ),
    }),
  })
  const byIds: ContractStore['byIds'] = async (ids) =>
    (await inner.byIds(ids)).map((state) => (isOn() ? { ...state, archivedOffset: 0n } : state))
  return { ...writes, byIds }
}

/**
 * Now and then a payment's archives are written and nothing else, and the commit is said to have
 * failed.
 */
function halfCommitting(inner: ContractStore, isOn: IsOn): ContractStore {
  const nothing = {
    updates: [],
    creates: [],
    assignments: [],
    commands: [],
    totals: [],
    accruals: [],
    logs: [],
    facts: [],
  }
  let [count, isHalf] = [0, false]
  const half = recommit(inner, {
    writes: (asked) => {
      const isPayment =
        isOn() && asked.archives.length > 0 && asked.totals.some(({ name }) => name === 'unlocked')
      count += isPayment ? 1 : 0
      isHalf = isPayment && count % 5 === 0
      return isHalf ? { ...nothing, archives: asked.archives } : asked
    },
  })
  return {
    ...inner,
    commit: async (asked) => {
      const result = await half.commit(asked)
      if (isHalf) throw new StoreConflict('only half of it was written')
      return result
    },
  }
}

function gapping(inner: ContractStore, isOn: IsOn): ContractStore {
  let count = 0
  return recommit(inner, {
    facts: (facts) => {
      count += isOn() ? 1 : 0
      return count % EVERY === EVERY - 1
        ? { ...facts, end: { ...facts.end, offset: facts.end.offset + 1n } }
        : facts
    },
  })
}

function dropOne({ creates, totals, ...writes }: CommitWrites): CommitWrites {
  const lost = creates.length > 2 ? totals.findIndex(({ name }) => name === 'unlocked') : -1
  return { ...writes, creates, totals: totals.filter((_, index) => index !== lost) }
}

function again(logs: CommitWrites['logs']): CommitWrites['logs'] {
  const last = logs.at(-1)
  return last === undefined ? logs : [...logs, { ...last, id: `${last.id}:9` }]
}

/** Nobody remembers tracking ids. */
function forgetful(): Plant {
  const { economy, start } = onSubmit((submission) =>
    submission.commandId?.startsWith(OFFER_COMMAND) === true
      ? withoutCommandId(submission)
      : submission,
  )
  return {
    ...(economy === undefined ? {} : { economy }),
    ...(start === undefined ? {} : { start }),
    store: (inner) => ({
      ...inner,
      fact: async (kind, key) => (kind === OFFERS ? undefined : inner.fact(kind, key)),
    }),
  }
}

/** Whoever acts is let in. */
function openDoors(): Plant {
  let actor = ''
  const controllers = () => [actor]
  return {
    actor: (party) => {
      actor = party
    },
    start: () =>
      together(
        overwrite(transferOfferReject.rules, { controllers }),
        overwrite(coinTransferInstructionReject.rules, { controllers }),
      ),
  }
}

/** The first purchase stays the target. */
function forgetsPurchases(): Plant {
  const known = new Set<string>()
  const isNew = (account: string) => !known.has(account) && known.add(account).has(account)
  return onWrites(({ totals, ...writes }) => ({
    ...writes,
    totals: totals.filter(({ name, account }) => name !== 'traffic' || isNew(account)),
  }))
}

const OWN: readonly (readonly [id: string, make: () => Plant])[] = [
  [
    'no-conditional-write',
    () => switched((isOn) => ({ store: (inner) => unconditional(inner, isOn) })),
  ],
  ['half-commit', () => switched((isOn) => ({ store: (inner) => halfCommitting(inner, isOn) }))],
  ['offset-gap', () => switched((isOn) => ({ store: (inner) => gapping(inner, isOn) }))],
  ['lost-total', () => onWrites(dropOne)],
  [
    'record-time-stands',
    () =>
      onWrites(({ updates, ...writes }, { end: { recordTime } }) => ({
        ...writes,
        updates: updates.map((update) => ({ ...update, recordTime })),
      })),
  ],
  [
    'status-back',
    () =>
      onWrites(({ facts, ...writes }) => ({
        ...writes,
        facts: facts.map((fact) =>
          fact.kind === OFFERS ? { ...fact, body: '{"status":"created"}' } : fact,
        ),
      })),
  ],
  ['history-doubles', () => onWrites(({ logs, ...writes }) => ({ ...writes, logs: again(logs) }))],
  [
    'history-lost',
    () => onWrites(({ logs, ...writes }) => ({ ...writes, logs: logs.slice(0, -1) })),
  ],
  ['traffic-lost', forgetsPurchases],
  ['dedup-ignored', () => onSubmit(withoutCommandId)],
  [
    'unchecked-signatory',
    () =>
      onSubmit((submission, { parties: { dso } }) => ({
        ...submission,
        actAs: [...submission.actAs, dso],
      })),
  ],
  ['unchecked-controller', openDoors],
  ['tracking-reused', forgetful],
  [
    'stale-round',
    () =>
      onNetwork((network, { clock }) => ({
        usableRound: async () =>
          (await network.openRounds()).find(({ payload }) => payload.opensAt <= clock.nowMicros()),
      })),
  ],
  [
    'clock-behind',
    () =>
      switched((isOn) => ({
        clock: (inner) => ({ nowMicros: () => inner.nowMicros() - (isOn() ? LAG : 0n) }),
      })),
  ],
]

const MAKERS: ReadonlyMap<string, () => Plant> = new Map([
  ...OWN,
  ...CONTRACT_PLANTS.map(([id, start]) => [id, (): Plant => ({ start })] as const),
])

/** Ids of the faults that can be planted here. */
export const PLANTED: readonly string[] = [...MAKERS.keys()]

/** A fresh plant; throws for a fault that cannot be planted. */
export function plantOf(id: string): Plant {
  const make = MAKERS.get(id)
  if (make === undefined) throw new RangeError(`the driver cannot plant ${id}`)
  return make()
}
