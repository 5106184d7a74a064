// Ends a vote, on request or when its time is over.
import type { ActionRequiringConfirmation, VoteRequest } from '../../../generated/contracts.gen.ts'
import { dsoRulesCloseVoteRequest, featuredAppRight } from '../../contracts/index.ts'
import type { Contract, Tx } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'

/**
 * The super validator's command, with what it does not see of the contracts that the action
 * touches.
 */
export async function closingVote(
  economy: Pick<Economy, 'clock' | 'network' | 'parties' | 'reader'>,
  request: Contract<VoteRequest>,
) {
  const {
    network,
    clock,
    parties: { sv },
  } = economy
  const [rules, coin, touched] = await Promise.all([
    network.dsoRules(),
    network.coinRules(),
    touchedBy(economy, request.payload.action),
  ])
  const argument = { requestCid: request.id, sv, coinRulesCid: coin.id, now: clock.nowMicros() }
  return {
    actAs: [sv],
    disclosedContracts: [request.record, coin.record, ...touched],
    run: (tx: Tx) => tx.exercise(dsoRulesCloseVoteRequest, rules.id, argument),
  }
}

async function touchedBy(
  { reader }: Pick<Economy, 'reader'>,
  action: ActionRequiringConfirmation,
): Promise<readonly ContractRecord[]> {
  if (
    action.tag !== 'ARC_DsoRules' ||
    action.value.dsoAction.tag !== 'SRARC_RevokeFeaturedAppRight'
  )
    return []
  const right = await reader.get(featuredAppRight, action.value.dsoAction.value.rightCid)
  return right === undefined ? [] : [right.record]
}
