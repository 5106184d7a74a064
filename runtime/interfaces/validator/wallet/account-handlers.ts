// A user and its wallet as such: status, features, registration, tap and featured rights, and the
// operator's view of all users. docs/economy-rules.md, "Onboarding" and "Taps"
import type { CoinOperationOutcome } from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { TapRequest, UserStatusResponse } from '../../../../generated/validator/types.gen.ts'
import { featuredAppRight, installChoices, walletAppInstall } from '../../../contracts/index.ts'
import { ArithmeticError, divideUp } from '../../../engine/index.ts'
import type { Principal } from '../../../access/principal.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { refuseOver } from '../../around-handlers.ts'
import {
  answer,
  badRequest,
  conflict,
  notFound,
  PlainError,
  rejectionError,
  treasuryError,
} from '../../../economy/errors.ts'
import type { Onboarded, Onboarding, OnboardRequest } from '../../../economy/wallets/onboarding.ts'
import { payableAmount, textProblem } from '../../../economy/parse.ts'
import { contentOf, onceADay } from '../../../economy/wallets/request-ids.ts'
import type { Deduplication, Treasury } from '../../../economy/treasury/index.ts'
import { onlyOutcome, operationCommandId } from '../../../economy/treasury/operation-facts.ts'
import { walletScope } from './operations.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

/** Featured app rights that one transaction cancels. */
const CANCELLED_AT_ONCE = 200

/** Handlers of all operations on users, their status and what a development network gives them. */
export function accountHandlers(
  economy: Economy,
  treasury: Treasury,
  onboarding: Onboarding,
) {
  const inWallet = walletScope(economy)
  const onboard = async (request: OnboardRequest) =>
    answer(onboarded(await onboarding.onboardUser(request)), (partyId) => ({ party_id: partyId }))
  return {
    userStatus: async (_input, context) => ({
      status: 200,
      body: await statusOf(economy, callerOf(context)),
    }),
    featureSupport: () => ({
      status: 200,
      body: { token_standard: true, transfer_preapproval_description: true },
    }),
    register: (_input, context) => {
      const { user, walletParty } = callerOf(context)
      const { id: name, identityProviderId } = user
      if (walletParty === undefined)
        refuseOver(economy.quotas.overRegistrations(context.network, identityProviderId))
      return onboard({ name, identityProviderId })
    },
    getValidatorUserInfo: async () => {
      const {
        parties: { operator },
        settings,
        network,
      } = economy
      const featured = (await network.featuredAppRightOf(operator)) !== undefined
      return {
        status: 200,
        body: { party_id: operator, user_name: settings.validator.validatorWalletUser, featured },
      }
    },
    onboardUser: ({
      body: {
        name,
        party_id,
        createPartyIfMissing = false,
        identity_provider_id: identityProviderId = '',
      },
    }) =>
      onboard({
        name,
        identityProviderId,
        createPartyIfMissing,
        ...(party_id === undefined ? {} : { partyId: party_id }),
      }),
    listUsers: async () => ({ status: 200, body: { usernames: await userNames(economy) } }),
    offboardUser: async ({ query }) =>
      answer(await offboarded(onboarding, query.username), () => undefined),
    tap: inWallet(
      (wallet, { body }) => tap(economy, treasury, wallet, body),
      (cid) => ({ contract_id: cid }),
    ),
    selfGrantFeatureAppRight: inWallet(
      (wallet) => grant(economy, wallet),
      (cid) => ({ contract_id: cid }),
    ),
    cancelFeaturedAppRights: inWallet(
      (wallet) => cancel(economy, wallet),
      () => undefined,
    ),
  } satisfies Partial<Handlers<Context>>
}

async function statusOf(
  { network }: Pick<Economy, 'network'>,
  { user, walletParty: party }: Principal,
): Promise<UserStatusResponse> {
  if (party === undefined) {
    return {
      party_id: '',
      user_onboarded: false,
      user_wallet_installed: false,
      has_featured_app_right: false,
    }
  }
  const [install, right] = await Promise.all([
    network.walletOfUser(user.id, party),
    network.featuredAppRightOf(party),
  ])
  return {
    party_id: party,
    user_onboarded: true,
    user_wallet_installed: install !== undefined,
    has_featured_app_right: right !== undefined,
  }
}

function onboarded(outcome: Onboarded): string | PlainError {
  if (outcome.ok) return outcome.partyId
  if (outcome.kind === 'busy') return new PlainError(429, outcome.message)
  const isTaken = outcome.kind === 'other-party' || outcome.kind === 'other-user'
  return isTaken ? conflict(outcome.message) : badRequest(outcome.message)
}

async function offboarded(onboarding: Onboarding, name: string): Promise<PlainError | undefined> {
  const problem = textProblem(name)
  const outcome = problem === undefined ? await onboarding.offboardUser(name) : 'unknown'
  if (outcome === 'unknown') return notFound(`No wallet found for user ${name}`)
  return outcome === 'operator'
    ? badRequest("The validator's own users cannot be offboarded")
    : undefined
}

async function userNames({
  reader,
  parties: { operator },
}: Pick<Economy, 'parties' | 'reader'>): Promise<string[]> {
  const installs = await reader.all(walletAppInstall)
  const names = installs
    .filter(({ payload }) => payload.validatorParty === operator)
    .map(({ payload }) => payload.endUserName)
  return [...new Set(names)]
}

/**
 * The amount is in USD; coins are rounded up. A repeated command id answers the coin of the first
 * time, whatever it was worth.
 */
async function tap(
  economy: Pick<Economy, 'engine' | 'network' | 'store'>,
  treasury: Treasury,
  { party }: Wallet,
  request: TapRequest,
): Promise<string | PlainError> {
  const usd = payableAmount(request.amount)
  if (usd instanceof PlainError) return usd
  const { command_id: id } = request
  const problem = textProblem(id ?? '')
  if (problem !== undefined) return problem
  if (!(await economy.network.coinRules()).payload.isDevNet)
    return badRequest('Coin can be tapped on a development network only')
  if (id === undefined) return tapCoin(economy, treasury, { party, usd })
  const content = contentOf(usd)
  return onceADay(economy, {
    asked: { commandId: operationCommandId(party, { tag: 'CO_Tap' }, id), content },
    mustWait: treasury.mustWait(party),
    make: () => tapCoin(economy, treasury, { party, usd, dedup: { id, content } }),
    answer: (result) => tappedCoin(onlyOutcome(result)),
  })
}

interface Tap {
  readonly party: string
  readonly usd: bigint
  readonly dedup?: Deduplication
}

async function tapCoin(
  economy: Pick<Economy, 'network'>,
  treasury: Treasury,
  { party, usd, ...options }: Tap,
): Promise<string | PlainError> {
  const tapAmount = await coinsFor(economy, usd)
  if (tapAmount instanceof PlainError) return tapAmount
  const done = await treasury.enqueue(party, { tag: 'CO_Tap', value: { tapAmount } }, options)
  return done.ok ? tappedCoin(done.outcome) : treasuryError(done)
}

function tappedCoin(outcome: CoinOperationOutcome): string {
  if (outcome.tag !== 'COO_Tap') throw new Error(`a tap came out as ${outcome.tag}`)
  return outcome.value.coin
}

async function coinsFor(
  { network }: Pick<Economy, 'network'>,
  usd: bigint,
): Promise<bigint | PlainError> {
  const round = await network.usableRound()
  if (round === undefined) return new PlainError(503, 'None of the rounds are open')
  try {
    return divideUp(usd, round.payload.conversionRate)
  } catch (error) {
    if (error instanceof ArithmeticError) return badRequest(`amount is too large: ${error.message}`)
    throw error
  }
}

/** One right is enough: a provider that has it keeps it. */
async function grant(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas'>,
  { party, install }: Wallet,
): Promise<string | PlainError> {
  const existing = await economy.network.featuredAppRightOf(party)
  if (existing !== undefined) return existing.id
  const { id: coinRulesCid, payload } = await economy.network.coinRules()
  if (!payload.isDevNet)
    return badRequest('A provider can feature itself on a development network only')
  const done = await verdictFor(economy, party, {
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_FeaturedAppRights_SelfGrant, install.id, {
        coinRulesCid,
      }).featuredAppRightCid,
  })
  return done.ok ? done.result : rejectionError(done)
}

async function cancel(
  economy: Economy,
  { party, install }: Wallet,
): Promise<PlainError | undefined> {
  const rights = await economy.reader.all(featuredAppRight, { provider: party })
  const all = rights.map(({ id }) => id)
  for (let start = 0; start < all.length; start += CANCELLED_AT_ONCE) {
    const cids = all.slice(start, start + CANCELLED_AT_ONCE)
    const done = await verdictFor(economy, party, {
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_FeaturedAppRights_Cancel, install.id, { cids }),
    })
    if (!done.ok) return rejectionError(done)
  }
  return undefined
}
