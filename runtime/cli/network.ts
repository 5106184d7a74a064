// What the commands of `network` do: each is a call or two of a running service, as the operator,
// and a line that says what came of it.
import { createClient as createScanClient } from '../../generated/scan/client.gen.ts'
import type { Client } from '../../generated/validator/client.gen.ts'
import { member } from '../host/member.ts'
import { CommandError } from '../host/problem.ts'
import { asked, connect, durationMs, say } from './network-connection.ts'
import type {
  AllocateFlags,
  CastFlags,
  FeatureFlags,
  NetworkFlags,
  ReasonFlags,
  RequestFlags,
} from './network-flags.ts'
import { EXIT } from './outcome.ts'

/** `vote list` */
export async function listVotes(flags: NetworkFlags): Promise<void> {
  const { origin, token } = await connect(flags)
  const scan = createScanClient({ baseUrl: `${origin}/api/scan`, token })
  const { dso_rules_vote_requests: requests } = await asked(scan.listDsoRulesVoteRequests())
  for (const { contract_id: id, payload } of requests) {
    say(
      `${id} ${JSON.stringify(payload['action'])} by ${String(payload['requester'])}, open until ${String(payload['voteBefore'])}`,
    )
  }
  if (requests.length === 0) say('no vote is open')
}

/** `vote request` */
export async function requestVote(flags: RequestFlags, action: string): Promise<void> {
  const { client } = await connect(flags)
  const id = await newRequest(client, readAction(action), flags)
  say(`requested ${id}`)
}

/** `vote cast` */
export async function castVote({ reject, reason, ...flags }: CastFlags, id: string): Promise<void> {
  const { client } = await connect(flags)
  const accept = reject !== true
  const cast = await asked(
    client.castNetworkVote({
      path: { contract_id: id },
      body: { accept, reason: { url: '', body: reason } },
    }),
  )
  say(`${accept ? 'accepted' : 'rejected'}; the request is now ${cast.vote_request_contract_id}`)
}

/** `vote close` */
export async function closeVote(flags: NetworkFlags, id: string): Promise<void> {
  const { client } = await connect(flags)
  say(`closed: ${await close(client, id)}`)
}

/**
 * `feature`: a vote that the super validator's own voice decides. Fails where the action could not
 * be carried out.
 */
export async function feature({ revoke, ...flags }: FeatureFlags, party: string): Promise<void> {
  const { client } = await connect(flags)
  const { featured_app_right: right } = await asked(
    client.lookupFeaturedAppRight({ path: { provider_party_id: party } }),
  )
  if (revoke !== true && right !== undefined)
    return say(`${party} is already featured: ${right.contract_id}`)
  if (revoke === true && right === undefined) throw new CommandError(`${party} is not featured`)
  const dsoAction =
    right === undefined
      ? { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: party } }
      : { tag: 'SRARC_RevokeFeaturedAppRight', value: { rightCid: right.contract_id } }
  const id = await newRequest(client, { tag: 'ARC_DsoRules', value: { dsoAction } }, { reason: '' })
  const outcome = await close(client, id)
  if (outcome !== 'VRO_Accepted') throw new CommandError(`the vote ended with ${outcome}`)
  say(`${party} is ${right === undefined ? 'featured' : 'no longer featured'}`)
}

/** `price` */
export async function votePrice(flags: NetworkFlags, usd: string): Promise<void> {
  const { client } = await connect(flags)
  const voted = await asked(client.setCoinPriceVote({ body: { coin_price: usd } }))
  say(`voted for ${usd} USD a coin (${voted.coin_price_vote_contract_id}); new rounds use it`)
}

/** `fund list` */
export async function listFund(flags: NetworkFlags): Promise<void> {
  const { client } = await connect(flags)
  const unclaimed = await asked(client.listUnclaimedDevelopmentFundCoupons())
  const allocated = await asked(client.listActiveDevelopmentFundCoupons())
  for (const { contract } of unclaimed['unclaimed-development-fund-coupons']) {
    say(`unclaimed ${contract.contract_id} ${String(contract.payload['amount'])}`)
  }
  for (const { contract_id: id, payload } of allocated.active_development_fund_coupons) {
    say(
      `allocated ${id} ${String(payload['amount'])} to ${String(payload['beneficiary'])} until ${String(payload['expiresAt'])}`,
    )
  }
  if (
    unclaimed['unclaimed-development-fund-coupons'].length +
      allocated.active_development_fund_coupons.length ===
    0
  ) {
    say('the fund is empty; each round that starts issuing adds to it')
  }
}

/** `fund allocate` */
export async function allocateFund({
  to,
  amount,
  reason,
  expires,
  ...flags
}: AllocateFlags): Promise<void> {
  const ms = durationMs(expires)
  const { client } = await connect(flags)
  const expiresAt = await laterMicros(client, ms)
  const done = await asked(
    client.allocateDevelopmentFundCoupon({ body: { beneficiary: to, amount, reason, expiresAt } }),
  )
  say(`allocated ${amount} to ${to}: ${done.development_fund_coupon_contract_id}`)
}

/** `fund withdraw` */
export async function withdrawFund({ reason, ...flags }: ReasonFlags, id: string): Promise<void> {
  const { client } = await connect(flags)
  const done = await asked(
    client.withdrawDevelopmentFundCoupon({ path: { contract_id: id }, body: { reason } }),
  )
  say(`withdrawn; unclaimed is now ${done.unclaimed_development_fund_coupon_contract_id}`)
}

async function newRequest(
  client: Client,
  action: Record<string, unknown>,
  { reason, expires }: { readonly reason: string; readonly expires?: string },
): Promise<string> {
  const until =
    expires === undefined
      ? undefined
      : new Date(Number((await laterMicros(client, durationMs(expires))) / 1_000n)).toISOString()
  const body = {
    action,
    reason: { url: '', body: reason },
    ...(until === undefined ? {} : { vote_before: until }),
  }
  return (await asked(client.requestNetworkVote({ body }))).vote_request_contract_id
}

/** Answers how it ended. */
async function close(client: Client, id: string): Promise<string> {
  const { outcome } = await asked(client.closeNetworkVote({ path: { contract_id: id } }))
  const { tag, value } = outcome
  const why = member(value, 'description')
  return why === undefined ? String(tag) : `${String(tag)}: ${String(why)}`
}

/** A later time by the clock of the service, which may be simulated. */
async function laterMicros(client: Client, ms: number): Promise<bigint> {
  const { now } = await asked(client.getClock())
  return BigInt(Date.parse(now) + ms) * 1_000n
}

function readAction(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new CommandError('the action must be a JSON object', EXIT.usage)
}
