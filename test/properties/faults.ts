// Faults to plant, each with the invariants that must find it within the CI size. `MODEL` (100) is
// a difference from the model, which finds nearly all of them too: `caughtBy` names what must find
// it without the model. rulings.md 32
import { MODEL } from './compare.ts'

export interface Fault {
  readonly id: string
  /** The part that the driver wraps or replaces. */
  readonly at: 'engine' | 'store' | 'contract' | 'service' | 'projection'
  readonly what: string
  /** One of these must be among the violations. */
  readonly caughtBy: readonly number[]
}

/** All of them. */
export const FAULTS: readonly Fault[] = [
  {
    id: 'no-conditional-write',
    at: 'store',
    what: 'a contract is archived without looking whether it was',
    caughtBy: [7, 3],
  },
  {
    id: 'half-commit',
    at: 'store',
    what: 'a batch that fails keeps the archives and loses the creates',
    caughtBy: [0, 1, 3],
  },
  {
    id: 'lost-total',
    at: 'store',
    what: 'totals miss one of several creates of a commit',
    caughtBy: [1, 2],
  },
  { id: 'offset-gap', at: 'store', what: 'a refused update takes an offset', caughtBy: [0] },
  {
    id: 'record-time-stands',
    at: 'engine',
    what: 'record time repeats within a batch',
    caughtBy: [0],
  },
  {
    id: 'unchecked-controller',
    at: 'engine',
    what: 'a choice runs without its controllers',
    caughtBy: [44, MODEL],
  },
  {
    id: 'unchecked-signatory',
    at: 'engine',
    what: 'everybody has the authority of the network',
    caughtBy: [44, MODEL],
  },
  { id: 'dedup-ignored', at: 'engine', what: 'a command id is not looked up', caughtBy: [38] },
  {
    id: 'abort-keeps-writes',
    at: 'engine',
    what: 'what was created before an abort stays',
    caughtBy: [0, 3],
  },
  { id: 'tap-rounds-down', at: 'contract', what: 'a tap rounds down', caughtBy: [MODEL] },
  {
    id: 'cost-rounds-up',
    at: 'contract',
    what: 'the price of traffic is rounded up once',
    caughtBy: [34],
  },
  {
    id: 'folded-rounding',
    at: 'contract',
    what: 'the price of traffic is rounded once instead of three times',
    caughtBy: [34],
  },
  {
    id: 'mint-rounds-up',
    at: 'contract',
    what: 'the yield of a coupon is rounded up',
    caughtBy: [24],
  },
  {
    id: 'lost-lock',
    at: 'contract',
    what: 'an instruction is created over an unlocked holding',
    caughtBy: [9, 10, 44],
  },
  {
    id: 'lock-too-small',
    at: 'contract',
    what: 'less is locked than the transfer says',
    caughtBy: [11],
  },
  {
    id: 'wrong-change',
    at: 'contract',
    what: 'change is one unit more than it should be',
    caughtBy: [3, 4],
  },
  {
    id: 'zero-change',
    at: 'contract',
    what: 'a holding of zero is made where nothing is left',
    caughtBy: [5, 6],
  },
  {
    id: 'negative-output',
    at: 'contract',
    what: 'an output may be negative',
    caughtBy: [6, MODEL],
  },
  {
    id: 'expired-accepted',
    at: 'contract',
    what: 'an instruction is accepted after its deadline',
    caughtBy: [15],
  },
  {
    id: 'early-expiry',
    at: 'contract',
    what: 'an instruction is expired before its deadline',
    caughtBy: [15],
  },
  {
    id: 'reject-pays-receiver',
    at: 'contract',
    what: 'a rejected instruction unlocks for the receiver',
    caughtBy: [13],
  },
  {
    id: 'accept-pays-less',
    at: 'contract',
    what: 'an acceptance keeps a unit back for the sender',
    caughtBy: [14],
  },
  {
    id: 'shell-revived',
    at: 'contract',
    what: 'an instruction whose lock is gone pays again',
    caughtBy: [3, 7, 13],
  },
  { id: 'too-many-inputs', at: 'contract', what: 'a transfer takes 101 inputs', caughtBy: [8] },
  {
    id: 'burn-kept',
    at: 'contract',
    what: 'what pays for traffic is not archived',
    caughtBy: [3, 34],
  },
  { id: 'coupon-kept', at: 'contract', what: 'a minted coupon stays', caughtBy: [24, 3] },
  {
    id: 'stale-round',
    at: 'service',
    what: 'the oldest usable round is taken instead of the latest',
    caughtBy: [29],
  },
  {
    id: 'four-rounds',
    at: 'contract',
    what: 'an advance leaves the oldest round open',
    caughtBy: [28],
  },
  {
    id: 'renewal-shortens',
    at: 'contract',
    what: 'a renewal may move the end back',
    caughtBy: [23, MODEL],
  },
  {
    id: 'tracking-reused',
    at: 'service',
    what: 'a tracking id makes a second offer',
    caughtBy: [19],
  },
  {
    id: 'status-back',
    at: 'projection',
    what: 'a late fact overwrites a later status',
    caughtBy: [20],
  },
  {
    id: 'history-doubles',
    at: 'projection',
    what: 'the change of a transfer is counted as income',
    caughtBy: [41],
  },
  { id: 'history-lost', at: 'projection', what: 'a receiver gets no entry', caughtBy: [41] },
  {
    id: 'traffic-lost',
    at: 'projection',
    what: 'a second purchase replaces the first',
    caughtBy: [33],
  },
  {
    id: 'clock-behind',
    at: 'engine',
    what: "the ledger's clock is twenty minutes behind",
    caughtBy: [MODEL],
  },
  {
    id: 'wrong-rate',
    at: 'contract',
    what: 'a new holding costs a unit more each round than its round says',
    caughtBy: [MODEL],
  },
  {
    id: 'lock-for-others',
    at: 'contract',
    what: 'a lock ends a second before the instruction that it is for',
    caughtBy: [11],
  },
  {
    id: 'live-dust',
    at: 'contract',
    what: 'the network expires a holding that is no dust yet',
    caughtBy: [MODEL],
  },
]

/** The fault of that id. Throws for an unknown one. */
export function faultOf(id: string): Fault {
  const found = FAULTS.find((fault) => fault.id === id)
  if (found === undefined) throw new RangeError(`there is no fault ${id}`)
  return found
}
