// How an external party gets what it needs to be paid: the operator proposes and pays, the party
// signs once, and has a preapproval. docs/economy-rules.md, "External parties"
import { ExternalPartySetupProposal } from '../../../../generated/contracts.gen.ts'
import type {
  ContractWithState,
  ExternalPartySubmission,
  PrepareAcceptExternalPartySetupProposalRequest,
  PreparedTransactionResponse,
  SubmitAcceptExternalPartySetupProposalResponse,
} from '../../../../generated/validator/types.gen.ts'
import {
  externalPartySetupProposal,
  externalPartySetupProposalAccept,
} from '../../../contracts/index.ts'
import { pauseAfterLoss } from '../../../engine/index.ts'
import { contractWithState } from '../../contract-wire.ts'
import { listed, underKeys } from '../lists.ts'
import type { ListQuery, WireList } from '../lists.ts'
import type { Economy } from '../../../economy/economy.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import { micros } from '../../../economy/network/initial-config.ts'
import {
  badRequest,
  conflict,
  notFound,
  PlainError,
  treasuryError,
} from '../../../economy/errors.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import { contentOf } from '../../../economy/wallets/request-ids.ts'
import type { Treasury, TreasuryResult } from '../../../economy/treasury/index.ts'
import { executeFor, externalPartyProblem, prepareFor, preparedBody } from './submission.ts'
import type { ExternalParties } from './submission.ts'

const { ExternalPartySetupProposal_Accept: ACCEPT } = ExternalPartySetupProposal.choices
/** Lives of one party's proposal that may have ended before a new one. */
const MAX_ATTEMPTS = 20

/** The operator's proposals that can still be accepted, oldest first. */
export function openProposals(
  economy: Pick<Economy, 'clock' | 'parties' | 'reader' | 'settings'>,
  query: ListQuery,
): Promise<WireList<ContractWithState> | PlainError> {
  const { reader, clock, parties } = economy
  const now = clock.nowMicros()
  const read = underKeys(reader, [externalPartySetupProposal.by('validator')], parties.operator)
  return listed(
    economy,
    read,
    (proposal) =>
      proposal.payload.preapprovalExpiresAt > now ? contractWithState(proposal) : undefined,
    query,
  )
}

/**
 * Pays for a proposal out of the operator's wallet; answers its contract id. 404 for an unknown
 * party, 400 for one without key outside and where funds are missing, 409 where there is a proposal
 * or a preapproval.
 */
export async function proposeSetup(
  economy: Economy,
  treasury: Treasury,
  party: string,
): Promise<string | PlainError> {
  const problem = await externalPartyProblem(economy, party)
  if (problem !== undefined) return problem
  // An id that was used for a proposal that is over is followed by one that names its update: the
  // same for all who ask at once.
  let dedupId = 'external-party-setup'
  for (let attempt = 1; ; attempt++) {
    const existing = await existingSetup(economy, party)
    if (existing !== undefined) return existing
    const done = await payForProposal(economy, treasury, party, dedupId)
    if (!done.ok) return treasuryError(done)
    if (done.outcome.tag !== 'COO_CreateExternalPartySetupProposal')
      throw new Error(`a proposal came out as ${done.outcome.tag}`)
    if (!done.isRepeated) return done.outcome.value.proposalCid
    if (attempt === MAX_ATTEMPTS)
      return conflict(`Others propose a setup of ${party} at the same time`)
    dedupId = `external-party-setup/${done.updateId}`
    await pauseAfterLoss(attempt)
  }
}

async function existingSetup(
  economy: Pick<Economy, 'clock' | 'network' | 'parties' | 'reader'>,
  party: string,
): Promise<PlainError | undefined> {
  // In this order: what is accepted between the two looks is seen by the second.
  const proposal = await proposalFor(economy, party)
  if (proposal !== undefined)
    return conflict(`The party ${party} has the setup proposal ${proposal.id} already`)
  const preapproval = await economy.network.preapprovalOf(party)
  return (
    preapproval &&
    conflict(`The party ${party} has the transfer preapproval ${preapproval.id} already`)
  )
}

async function proposalFor(
  { reader, clock, parties: { operator } }: Pick<Economy, 'clock' | 'parties' | 'reader'>,
  party: string,
) {
  const now = clock.nowMicros()
  const found = await reader.active(externalPartySetupProposal, { user: party })
  return found.find(
    ({ payload: { validator, preapprovalExpiresAt } }) =>
      validator === operator && preapprovalExpiresAt > now,
  )
}

async function payForProposal(
  economy: Pick<Economy, 'clock' | 'parties' | 'settings'>,
  treasury: Treasury,
  externalParty: string,
  dedupId: string,
): Promise<TreasuryResult> {
  const {
    clock,
    parties: { operator },
    settings: {
      validator: { transferPreapproval },
    },
  } = economy
  const now = clock.nowMicros()
  const preapprovalExpiresAt = now + micros(transferPreapproval.preapprovalLifetimeSeconds)
  const value = { externalParty, preapprovalExpiresAt, now }
  const dedup = { id: `${dedupId}/${externalParty}`, content: contentOf(externalParty) }
  return treasury.enqueue(
    operator,
    { tag: 'CO_CreateExternalPartySetupProposal', value },
    { dedup },
  )
}

/**
 * The acceptance for the party to sign. 404 where it has no proposal, 400 where it has another one.
 */
export async function prepareAccept(
  services: ExternalParties,
  request: PrepareAcceptExternalPartySetupProposalRequest,
): Promise<PreparedTransactionResponse | PlainError> {
  const { economy } = services
  const party = request.user_party_id
  const proposal = partyProblem(party) === undefined ? await proposalFor(economy, party) : undefined
  if (proposal === undefined) return notFound(`The party ${party} has no setup proposal`)
  if (proposal.id !== contractIdOf(request.contract_id))
    return badRequest(`The setup proposal of the party ${party} is ${proposal.id}`)
  const mergeOperator = economy.settings.validator.proposeMergeDelegation
    ? economy.parties.operator
    : null
  const prepared = await prepareFor(services, {
    party,
    target: proposal.id,
    run: (tx) => void tx.exercise(externalPartySetupProposalAccept, proposal.id, { mergeOperator }),
  })
  return prepared instanceof PlainError
    ? prepared
    : preparedBody(prepared, request.verbose_hashing === true)
}

/** Executes the acceptance that the party signed. Errors: `executeFor`. */
export async function submitAccept(
  services: ExternalParties,
  submission: ExternalPartySubmission,
): Promise<SubmitAcceptExternalPartySetupProposalResponse | PlainError> {
  const expected = { template: ExternalPartySetupProposal.reference, choice: ACCEPT.name }
  const executed = await executeFor(services, submission, expected)
  if (executed instanceof PlainError) return executed
  const {
    committed: { updateId },
    root,
  } = executed
  const { transferPreapprovalCid } = ACCEPT.result.decode(root.result)
  return { transfer_preapproval_contract_id: transferPreapprovalCid, update_id: updateId }
}
