// Parties and validators as scan shows them: who hosts a party, the use of licences, traffic.
import type { FaucetState, ValidatorLicense } from '../../../generated/contracts.gen.ts'
import type {
  MemberTrafficStatus,
  ValidatorReceivedFaucets,
} from '../../../generated/scan/types.gen.ts'
import { validatorLicense } from '../../contracts/index.ts'
import { TRAFFIC, TRAFFIC_LIMIT, trafficAt, trafficGrant } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'
import { conflict, notFound, PlainError } from '../../economy/errors.ts'
import { scheduler } from '../../work/scheduler.ts'
import { isPartyId } from './parse.ts'

/** Longest text that a store finds something by. */
const MAX_KEY_BYTES = 1_000

/** `PAR::name::fingerprint` of the one participant that hosts a party on our synchronizer. */
export async function participantOf(
  economy: Pick<Economy, 'hostsOf' | 'node'>,
  domainId: string,
  party: string,
): Promise<string | PlainError> {
  const hosts = await participantsOf(economy, domainId, party)
  if (hosts instanceof PlainError) return hosts
  const [only, ...others] = hosts
  return only === undefined || others.length > 0
    ? conflict(`${hosts.length} participants host ${party}`)
    : only
}

/** All participants that host a party on our synchronizer, one at least; 404 where none does. */
export async function participantsOf(
  { hostsOf, node }: Pick<Economy, 'hostsOf' | 'node'>,
  domainId: string,
  party: string,
): Promise<readonly string[] | PlainError> {
  if (domainId !== node.synchronizerId) return notFound(`Synchronizer ${domainId} is not known`)
  const hosts = isPartyId(party) ? await hostsOf(party) : []
  return hosts.length === 0 ? notFound(`No participant hosts ${party}`) : hosts
}

/**
 * In how many rounds validators recorded that they are alive. Who has no licence, or never did, is
 * left out.
 */
export async function faucetsOf(
  economy: Pick<Economy, 'reader'>,
  validators: readonly string[],
): Promise<ValidatorReceivedFaucets[]> {
  const asked = [...new Set(validators)].filter(isPartyId)
  const licences = await scheduler.all(asked, (validator) =>
    economy.reader.active(validatorLicense, { validator }, { limit: 1 }),
  )
  return licences.flat().flatMap(({ payload }) => faucetsIn(payload))
}

/** The liveness of a licence's validator; nothing before the first time. */
export function faucetsIn({
  validator,
  faucetState,
}: Pick<ValidatorLicense, 'faucetState' | 'validator'>): ValidatorReceivedFaucets[] {
  return faucetState === null ? [] : [{ validator, ...collected(faucetState) }]
}

function collected({
  firstReceivedFor,
  lastReceivedFor,
  numCouponsMissed,
}: FaucetState): Omit<ValidatorReceivedFaucets, 'validator'> {
  return {
    numRoundsCollected: lastReceivedFor - firstReceivedFor + 1n - numCouponsMissed,
    numRoundsMissed: numCouponsMissed,
    firstCollectedInRound: firstReceivedFor,
    lastCollectedInRound: lastReceivedFor,
  }
}

/** Extra traffic of a member, in bytes; 404 where nothing is known about it. */
export async function trafficStatusOf(
  economy: Pick<Economy, 'node' | 'parties' | 'reader' | 'store'>,
  domainId: string,
  member: string,
): Promise<MemberTrafficStatus | PlainError> {
  const {
    store: { contracts },
    reader,
    node,
    parties,
  } = economy
  if (domainId !== node.synchronizerId) return notFound(`Synchronizer ${domainId} is not known`)
  if (!isKey(member)) return notFound(`No member ${member} is known`)
  const [used, limit, bought] = await Promise.all([
    contracts.fact(TRAFFIC, member),
    contracts.fact(TRAFFIC_LIMIT, member),
    reader.total('traffic', member),
  ])
  const isKnown =
    used !== undefined || limit !== undefined || bought.count > 0n || member === parties.member
  if (!isKnown) return notFound(`No member ${member} is known`)
  const granted = trafficGrant(limit?.body)
  return {
    actual: {
      total_consumed: consumedOf(economy, used?.body),
      total_limit: granted.limit,
    },
    target: { total_purchased: granted.brought + bought.amount },
  }
}

function consumedOf(
  { parties: { member } }: Pick<Economy, 'parties'>,
  body: string | undefined,
): bigint {
  // Only the base allowance changes with time, which is not shown.
  return trafficAt({ member, baseBurstBytes: 0n, baseWindowMicros: 1n }, body, 0n).consumed
}

function isKey(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MAX_KEY_BYTES
}
