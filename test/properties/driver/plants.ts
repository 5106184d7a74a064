// Faults planted in the real engine, services and store, each with the invariants that must find
// it; those of contracts have a file of their own. They begin when the network is there.
import {
  coin,
  coinTransferInstructionReject,
  transferOfferReject,
} from '../../../runtime/contracts/index.ts'
import type { Engine, Submission } from '../../../runtime/engine/index.ts'
import type { Clock } from '../../../runtime/host/plugin.ts'
import type { Economy, NetworkState } from '../../../runtime/economy/economy.ts'
import { StoreConflict } from '../../../runtime/store/rules.ts'
import type { CommitFacts, CommitWrites, ContractStore } from '../../../runtime/store/store.ts'
import { MODEL } from '../compare.ts'
import { overwrite, recommit, together } from './alter.ts'
import { CONTRACT_FAULTS } from './plants-contract.ts'
import type { FaultRow } from './plants-contract.ts'

export interface Plant {
  readonly store?: (inner: ContractStore) => ContractStore
  readonly economy?: (inner: Economy) => Economy
  readonly clock?: (inner: Clock) => Clock
  /** The network is there: from now on it may go wrong. Answers how to undo it. */
  readonly start?: () => () => void
  /** Tells who acts next, as a party id. */
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

/** Lets in whoever acts. */
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

/** Leaves a coin behind where a submission is refused. */
function keepsWrites(): Plant {
  return switched((isOn) => ({
    economy: (inner) => {
      const { engine, parties } = inner
      const submit: Engine['submit'] = async (asked) => {
        const answer = await engine.submit(asked)
        const [owner = ''] = asked.actAs
        const amount = { initialAmount: 1n, createdAt: 0n, ratePerRound: { rate: 1n } }
        if (isOn() && !answer.ok && answer.kind === 'aborted')
          await engine.submit({
            actAs: [owner, parties.dso],
            userId: '',
            run: (tx) => tx.create(coin, { dso: parties.dso, owner, amount }),
          })
        return answer
      }
      return { ...inner, engine: { ...engine, submit } }
    },
  }))
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

const OWN: readonly FaultRow<Plant>[] = [
  [
    'no-conditional-write',
    'a contract is archived without looking whether it was',
    [7, 3],
    () => switched((isOn) => ({ store: (inner) => unconditional(inner, isOn) })),
  ],
  [
    'half-commit',
    'a batch that fails keeps the archives and loses the creates',
    [0, 1, 3],
    () => switched((isOn) => ({ store: (inner) => halfCommitting(inner, isOn) })),
  ],
  [
    'offset-gap',
    'a refused update takes an offset',
    [0],
    () => switched((isOn) => ({ store: (inner) => gapping(inner, isOn) })),
  ],
  ['lost-total', 'totals miss one of several creates of a commit', [1, 2], () => onWrites(dropOne)],
  [
    'record-time-stands',
    'record time repeats within a batch',
    [0, 100],
    () =>
      onWrites(({ updates, ...writes }, { end: { recordTime } }) => ({
        ...writes,
        updates: updates.map((update) => ({ ...update, recordTime })),
      })),
  ],
  [
    'status-back',
    'a late fact overwrites a later status',
    [20],
    () =>
      onWrites(({ facts, ...writes }) => ({
        ...writes,
        facts: facts.map((fact) =>
          fact.kind === OFFERS ? { ...fact, body: '{"status":"created"}' } : fact,
        ),
      })),
  ],
  [
    'history-doubles',
    'the change of a transfer is counted as income',
    [41],
    () => onWrites(({ logs, ...writes }) => ({ ...writes, logs: again(logs) })),
  ],
  [
    'history-lost',
    'a receiver gets no entry',
    [41],
    () => onWrites(({ logs, ...writes }) => ({ ...writes, logs: logs.slice(0, -1) })),
  ],
  ['traffic-lost', 'a second purchase replaces the first', [33], forgetsPurchases],
  ['dedup-ignored', 'a command id is not looked up', [38], () => onSubmit(withoutCommandId)],
  ['abort-keeps-writes', 'what was created before an abort stays', [0, 3], keepsWrites],
  [
    'unchecked-signatory',
    'everybody has the authority of the network',
    [44, MODEL],
    () =>
      onSubmit((submission, { parties: { dso } }) => ({
        ...submission,
        actAs: [...submission.actAs, dso],
      })),
  ],
  ['unchecked-controller', 'a choice runs without its controllers', [44, MODEL], openDoors],
  ['tracking-reused', 'a tracking id makes a second offer', [19], forgetful],
  [
    'stale-round',
    'the oldest usable round is taken instead of the latest',
    [29],
    () =>
      onNetwork((network, { clock }) => ({
        usableRound: async () =>
          (await network.openRounds()).find(({ payload }) => payload.opensAt <= clock.nowMicros()),
      })),
  ],
  [
    'clock-behind',
    "the ledger's clock is twenty minutes behind",
    [MODEL],
    () =>
      switched((isOn) => ({
        clock: (inner) => ({ nowMicros: () => inner.nowMicros() - (isOn() ? LAG : 0n) }),
      })),
  ],
]

export interface Fault {
  readonly id: string
  readonly what: string
  /** Numbers of invariants, one of which must find it. */
  readonly caughtBy: readonly number[]
  /** Made anew for each system. */
  readonly plant: () => Plant
}

/** All faults. */
export const FAULTS: readonly Fault[] = [
  ...OWN,
  ...CONTRACT_FAULTS.map(([id, what, caughtBy, start]): FaultRow<Plant> => [
    id,
    what,
    caughtBy,
    () => ({ start }),
  ]),
].map(([id, what, caughtBy, plant]) => ({ id, what, caughtBy, plant }))

/** A fresh plant; throws for a fault that is not known. */
export function plantOf(id: string): Plant {
  const found = FAULTS.find((fault) => fault.id === id)
  if (found === undefined) throw new RangeError(`there is no fault ${id}`)
  return found.plant()
}
