// A wallet's merge delegation: what lets the operator merge its holdings.
// docs/economy-rules.md, "Merging"
import type {
  MergeDelegation,
  MergeDelegationProposal,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { MergeDelegationState } from '../../../../generated/validator/types.gen.ts'
import {
  installChoices,
  mergeDelegation,
  mergeDelegationProposal,
  NO_METADATA,
} from '../../../contracts/index.ts'
import type { Contract } from '../../../engine/index.ts'
import { contractToWire } from '../../contract-wire.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { createOnce } from './create-once.ts'
import {
  badRequest,
  conflict,
  notFound,
  PlainError,
  rejectionError,
} from '../../../economy/errors.ts'
import { walletScope } from './operations.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

/** Handlers of all operations on merge delegations. */
export function mergeDelegationHandlers(economy: Economy) {
  const inWallet = walletScope(economy)
  return {
    getMergeDelegation: inWallet(({ party }) => stateOf(economy, party), stateToWire),
    proposeMergeDelegation: inWallet(
      (wallet) => propose(economy, wallet),
      (cid) => ({ contract_id: cid }),
    ),
    withdrawMergeDelegation: inWallet(
      (wallet) => withdraw(economy, wallet),
      () => undefined,
    ),
  } satisfies Partial<Handlers<Context>>
}

interface State {
  readonly proposal: Contract<MergeDelegationProposal> | undefined
  readonly delegation: Contract<MergeDelegation> | undefined
}

/** The state, looked at in this order: what is accepted in between, the second look sees. */
async function stateOf(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  owner: string,
): Promise<State> {
  const proposals = await reader.active(mergeDelegationProposal, { owner })
  const delegations = await reader.active(mergeDelegation, { owner })
  return {
    proposal: proposals.find(({ payload }) => payload.delegation.operator === operator),
    delegation: delegations.find(({ payload }) => payload.operator === operator),
  }
}

function stateToWire({ proposal, delegation }: State): MergeDelegationState {
  return {
    ...(proposal === undefined ? {} : { proposal: contractToWire(proposal) }),
    ...(delegation === undefined ? {} : { delegation: contractToWire(delegation) }),
  }
}

async function propose(economy: Economy, { party, install }: Wallet): Promise<string | PlainError> {
  const { operator } = economy.parties
  if (party === operator)
    return badRequest('The operator merges its own holdings without a delegation')
  const made = await createOnce(economy, {
    party,
    commandId: `wallet-merge-delegation-proposal/${party}`,
    find: async () => {
      const { proposal, delegation } = await stateOf(economy, party)
      return (delegation ?? proposal)?.id
    },
    create: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_MergeDelegationProposal_Create, install.id, {
        operator,
        meta: NO_METADATA,
      }).proposalCid,
  })
  if (made instanceof PlainError) return made
  return made.isNew
    ? made.value
    : conflict('There is a merge delegation already, or a proposal of one')
}

async function withdraw(
  economy: Economy,
  { party, install }: Wallet,
): Promise<PlainError | undefined> {
  const { proposal, delegation } = await stateOf(economy, party)
  if (proposal === undefined && delegation === undefined)
    return notFound('There is neither a merge delegation nor a proposal of one')
  const done = await verdictFor(economy, party, {
    run: (tx) => {
      if (proposal !== undefined) {
        tx.exercise(installChoices.WalletAppInstall_MergeDelegationProposal_Withdraw, install.id, {
          cid: proposal.id,
        })
      }
      if (delegation !== undefined) {
        tx.exercise(installChoices.WalletAppInstall_MergeDelegation_Withdraw, install.id, {
          cid: delegation.id,
        })
      }
    },
  })
  return done.ok ? undefined : rejectionError(done, delegation?.id ?? proposal?.id)
}
