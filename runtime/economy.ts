// The public entry for automations of the coin economy: templates and choices, what the services
// offer, and how to declare one. Apart from index.ts so that plugins of other kinds load none of
// it. docs/decisions/0007-automations.md
export * from './contracts/index.ts'
export type * from '../generated/contracts.gen.ts'
export {
  DECIMAL_ONE,
  formatDecimal,
  parseDecimal,
  sum,
  TRAFFIC_LIMIT,
  trafficGrant,
  trafficLimitFact,
} from './engine/index.ts'
export type {
  Choice,
  Contract,
  KeyedBy,
  Rejection,
  Submission,
  Template,
  TemplateKey,
  Tx,
} from './engine/index.ts'
export { defineAutomation } from './economy/automation.ts'
export { entityOf } from './economy/changes.ts'
export type {
  AutomationDefinition,
  EconomyAutomation,
  EconomyRun,
  EconomyServices,
} from './economy/automation.ts'
export { background } from './work/background.ts'
export { forEachOf } from './economy/each.ts'
export type { Economy } from './economy/economy.ts'
export { LAST_SEQUENCE, nextRank } from './economy/next-rank.ts'
export { partyProblem } from './errors/grammar.ts'
export { hostingOf, isServedHere } from './economy/hosting.ts'
export type { Hosting } from './economy/hosting.ts'
export {
  committedUnlessPassing,
  isLostRace,
  isPassing,
  SubmissionRejected,
  submitForNetwork,
} from './economy/network/commands.ts'
export type { NetworkCommand } from './economy/network/commands.ts'
export { entryNamed, entryProblem, nameCommand } from './economy/names.ts'
export { closingVote } from './economy/network/vote-closing.ts'
export { addUpRounds } from './economy/round-totals/index.ts'
export { takeDueSnapshot } from './economy/snapshots/snapshots.ts'
export { readFunds } from './economy/treasury/funds.ts'
export type { Funds } from './economy/treasury/funds.ts'
export { mintValue } from './economy/treasury/select-inputs.ts'
export {
  mintableValidatorCoupons,
  readOwnValidatorCoupons,
  unspentCoupons,
} from './economy/treasury/validator-coupons.ts'
export { Tries } from './economy/tries.ts'
export { Pages, Turns, TURN_LIMITS } from './economy/turns.ts'
export type { Looking, Turn, TurnFilter, TurnLimits } from './economy/turns.ts'
export { operatorPriority, reserveTraffic, trafficLeft, trafficPrice } from './economy/traffic.ts'
export type { TrafficLeft, TrafficReservation } from './economy/traffic.ts'
export { treasuryError } from './economy/errors.ts'
export { failureText } from './economy/failure-text.ts'
export { contentOf, forgetRequests, rememberRequest } from './economy/wallets/request-ids.ts'
export type { RequestId } from './economy/wallets/request-ids.ts'
export { measuredTime } from './engine/index.ts'
export { offerRequest, offerStatus, trackedCommandId } from './economy/wallets/tracking.ts'
export type { OfferTerms } from './economy/wallets/tracking.ts'
export type {
  Deduplication,
  TreasuryRejected,
  TreasuryRejection,
  TreasuryResult,
} from './economy/treasury/index.ts'
export { acceptProposal, providedPreapproval } from './economy/wallets/preapprovals.ts'
export { extraArgsOf } from './economy/choice-context/choice-context.ts'
export { transferContext } from './economy/choice-context/contexts.ts'
export type { TransferFactoryContext } from './economy/choice-context/contexts.ts'
export { submitFor, verdictFor } from './economy/wallets/wallets.ts'
export { templateOf } from './store/rules.ts'
export type { ActivePosition, ContractRecord } from './store/store.ts'
