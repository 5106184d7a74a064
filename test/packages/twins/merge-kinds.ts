// Kinds of random commands on merges of an owner's holdings by an operator, alone and in batches.
import { member } from '../../../runtime/host/member.ts'
import { decimal } from '../../../generated/contract-codec.gen.ts'
import { formatDecimal, sum } from '../../../runtime/engine/index.ts'
import { path } from '../../interfaces/ledger-kit.ts'
import { SECOND } from '../../support/ledger.ts'
import { APP } from './coin-world.ts'
import type { CoinWorld, Kind, Kinds } from './coin-world.ts'
import { byStandard, on, texts, transferArgument, user } from './coin-kinds.ts'
import type { Draw } from './draw.ts'
import type { Command, Twin } from './twin-ledgers.ts'

const propose: Kind = (_world, draw) => {
  const owner = user(draw)
  const delegation = { operator: APP, owner, meta: { values: {} } }
  return { create: 'MergeDelegationProposal', actAs: [owner], payloads: [{ delegation }] }
}

const utility: Kind = (world) =>
  world.all('BatchMergeUtility').length > 0
    ? undefined
    : { create: 'BatchMergeUtility', actAs: [APP], payloads: [{ operator: APP }] }

const ofProposal = (choice: string, who: 'operator' | 'owner'): Kind =>
  on('MergeDelegationProposal', choice, ({ payload }) => ({
    actAs: texts(path(payload, 'delegation', who)),
    argument: {},
  }))

const ofDelegation = (choice: string, who: 'operator' | 'owner'): Kind =>
  on('MergeDelegation', choice, ({ payload }) => ({
    actAs: texts(member(payload, who)),
    argument: {},
  }))

/** The transfer of all that an owner has, to make one of it. */
function whole(argument: object, world: CoinWorld, owner: string): object {
  const coins = world.coins(owner).slice(0, 5)
  const amounts = coins.map(({ payload }) =>
    decimal.decode(path(payload, 'amount', 'initialAmount')),
  )
  return {
    ...Object(member(argument, 'transfer')),
    amount: formatDecimal(sum(amounts)),
    inputHoldingCids: coins.map(({ label }) => label),
    executeBefore: world.at(SECOND),
  }
}

/** Arguments of a merge, in our form and in the packages'. */
function merging(of: Twin, world: CoinWorld, draw: Draw): readonly [object, object] {
  const owner = String(member(of.payload, 'owner'))
  const call = (sender: string): readonly [object, object] => {
    const given = transferArgument(world, draw, { sender, receiver: owner })
    const argument =
      sender === owner && !draw.rarely(4)
        ? { ...given, transfer: whole(given, world, owner) }
        : given
    const { released } = byStandard(world, {
      on: world.factory,
      choice: 'TransferFactory_Transfer',
      actAs: [],
      argument,
    })
    const factoryCid = world.factory.label
    return [
      { factoryCid, choiceArg: argument },
      { factoryCid, choiceArg: released?.argument },
    ]
  }
  const merge = draw.rarely(5) ? undefined : call(owner)
  const extra = draw.rarely(3) ? call(APP) : undefined
  const argument = (side: 0 | 1): object => ({
    optMergeTransfer: merge?.[side] ?? null,
    optExtraTransfer: extra?.[side] ?? null,
    optFeaturedAppRight: null,
  })
  return [argument(0), argument(1)]
}

const merge = on('MergeDelegation', 'MergeDelegation_Merge', (of, world, draw) => {
  const [argument, other] = merging(of, world, draw)
  return { actAs: [APP], argument, released: { argument: other } }
})

const mergeAll = on('BatchMergeUtility', 'BatchMergeUtility_BatchMerge', (_of, world, draw) => {
  const calls = draw.some(world.all('MergeDelegation'), 2).map((of) => {
    const [argument, other] = merging(of, world, draw)
    const delegationCid = of.label
    return [
      { delegationCid, choiceArg: argument },
      { delegationCid, choiceArg: other },
    ] as const
  })
  const command: Omit<Command, 'on' | 'choice'> = {
    actAs: [APP],
    argument: { mergeCalls: calls.map(([own]) => own) },
    released: { argument: { mergeCalls: calls.map(([, other]) => other) } },
  }
  return calls.length === 0 ? undefined : command
})

/** Kinds of merges that need nothing but the network and coins. */
export const mergeStarting: Kinds = { propose, utility }

/** Kinds about what those have made. */
export const mergeFollowing: Kinds = {
  acceptMerging: ofProposal('MergeDelegationProposal_Accept', 'operator'),
  rejectMerging: ofProposal('MergeDelegationProposal_Reject', 'operator'),
  withdrawMerging: ofProposal('MergeDelegationProposal_Withdraw', 'owner'),
  endMerging: ofDelegation('MergeDelegation_Withdraw', 'owner'),
  leaveMerging: ofDelegation('MergeDelegation_Reject', 'operator'),
  merge,
  mergeAll,
}
