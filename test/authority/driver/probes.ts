// What somebody can really do, tried by real calls: act, read, execute, administer, use a wallet.
// The model's word is exact: more is a hole, less an over-refusal.
import { member } from '../../../runtime/host/member.ts'
import { signatureOf } from '../../support/topology-reference.ts'
import {
  actsAs,
  callerOf,
  canAct,
  canExecute,
  canRead,
  isExternal,
  isOperator,
  isParticipantAdmin,
  isProviderAdmin,
  tokenOf,
  walletOf,
} from '../model/rules.ts'
import type { By, Caller } from '../model/rules.ts'
import { isOpenAdmin } from '../model/limits.ts'
import { partiesOfNode } from '../model/state.ts'
import type { User } from '../model/state.ts'
import type { Reply } from './client.ts'
import type { Contract } from './feed.ts'
import { listOf } from './feed.ts'
import type { Violation } from './observe.ts'
import type { Stage } from './stage.ts'
import { VALIDATOR, commandOf, eventFormatOf } from './wire.ts'

/** Somebody with a token, and what the model takes the token for. */
interface Probed {
  readonly stage: Stage
  readonly by: By
  readonly caller: Caller
  readonly who: string
}

/** Probes what a user can do by itself, and for each of the parties. */
export async function probeUser(
  stage: Stage,
  user: User,
  parties: readonly string[],
): Promise<readonly Violation[]> {
  const by = tokenOf(stage.world, user)
  return by.kind === 'nobody' ? [] : probe(stage, by, parties)
}

/** Probes what a token of any kind is good for. */
export async function probe(
  stage: Stage,
  by: By,
  parties: readonly string[],
): Promise<readonly Violation[]> {
  const probed = { stage, by, caller: callerOf(stage.world, by), who: describe(by) }
  const found = [...(await probeSelf(probed))]
  for (const party of parties) found.push(...(await probeParty(probed, party)))
  return found
}

function describe(by: By): string {
  if (by.kind === 'nobody') return 'nobody'
  return by.kind === 'issued'
    ? `${by.sub} by a token of ${by.issuer}`
    : `${by.sub} by the key of ${by.party}`
}

/** 401 for no token, 403 for who is no user of the token's provider, else as `allowed` says. */
function expectedOf({ caller }: Probed, allowed: (user: User) => boolean): number {
  if (caller.kind === 'nobody') return 401
  return caller.kind === 'user' && allowed(caller.user) ? 200 : 403
}

function compared(
  { who }: Probed,
  what: string,
  expected: number,
  { status, text }: Reply,
): readonly Violation[] {
  if (status === expected) return []
  const rule =
    status === 200
      ? 'nobody exceeds the model'
      : expected === 200
        ? 'what is documented works'
        : 'a refusal is the documented one'
  return [
    { rule, detail: `${who}: ${what}: ${status}, expected ${expected} ${text.slice(0, 300)}` },
  ]
}

async function probeSelf(probed: Probed): Promise<readonly Violation[]> {
  const {
    stage: { ask },
    by,
    caller,
  } = probed
  const found = isOpenAdmin(caller)
    ? []
    : [
        ...compared(
          probed,
          'be a user',
          expectedOf(probed, () => true),
          await ask(by, 'GET /v2/authenticated-user'),
        ),
      ]
  found.push(
    ...compared(
      probed,
      'administer the node',
      expectedOf(probed, isParticipantAdmin),
      await ask(by, 'GET /v2/idps'),
    ),
  )
  if (!isOpenAdmin(caller)) found.push(...(await probeProvider(probed)))
  found.push(...(await probeOperator(probed)), ...(await probeWallet(probed)))
  return found
}

/** The users of the caller's provider, all of them and nobody else. */
async function probeProvider(probed: Probed): Promise<readonly Violation[]> {
  const {
    stage: { ask, world },
    by,
    caller,
  } = probed
  const expected = expectedOf(probed, (user) => isParticipantAdmin(user) || isProviderAdmin(user))
  const reply = await ask(by, 'GET /v2/users')
  const found = compared(probed, 'administer a provider', expected, reply)
  if (reply.status !== 200 || found.length > 0 || caller.kind !== 'user') return found
  const listed = listOf(member(reply.json, 'users'))
    .map((user) => String(member(user, 'id')))
    .toSorted()
    .join()
  const own = [...world.users.values()]
    .filter(({ provider }) => provider === caller.user.provider)
    .map(({ id }) => id)
    .toSorted()
    .join()
  return listed === own
    ? []
    : [
        {
          rule: 'an admin sees the users of its provider',
          detail: `${probed.who}: ${listed} instead of ${own}`,
        },
      ]
}

async function probeOperator(probed: Probed): Promise<readonly Violation[]> {
  const {
    stage: { ask, world },
    by,
  } = probed
  const reply = await ask(by, `GET ${VALIDATOR}/admin/users`)
  const found = compared(
    probed,
    'be the operator',
    expectedOf(probed, (user) => isOperator(world, user)),
    reply,
  )
  if (reply.status !== 200 || found.length > 0) return found
  const listed = listOf(member(reply.json, 'usernames')).map(String)
  const strangers = [...world.users.values()].filter(
    ({ id, wallet }) => wallet !== undefined && !listed.includes(id),
  )
  return strangers.map(({ id }) => ({
    rule: 'the operator sees all wallets',
    detail: `${id} is not among ${listed.join()}`,
  }))
}

/** 404 without a wallet, 403 without the right. */
async function probeWallet(probed: Probed): Promise<readonly Violation[]> {
  const {
    stage: { ask },
    by,
    caller,
  } = probed
  const reply = await ask(by, `GET ${VALIDATOR}/wallet/balance`)
  const hasNone = caller.kind === 'user' && caller.user.wallet === undefined
  const isNewcomer = caller.kind === 'newcomer' || caller.kind === 'elsewhere'
  const expected = isNewcomer ? 404 : expectedOf(probed, (user) => walletOf(user) !== undefined)
  const found =
    expected === 403 && hasNone && reply.status === 404
      ? []
      : compared(probed, 'use the wallet', expected, reply)
  if (caller.kind === 'nobody' || caller.kind === 'blocked') return found
  const { json } = await ask(by, `GET ${VALIDATOR}/wallet/user-status`)
  const party = String(member(json, 'party_id'))
  const own = caller.kind === 'user' ? (caller.user.wallet ?? '') : ''
  return party === own
    ? found
    : [
        ...found,
        { rule: "the wallet is the user's own", detail: `${probed.who}: ${party}, not ${own}` },
      ]
}

async function probeParty(probed: Probed, party: string): Promise<readonly Violation[]> {
  return [
    ...(await probeActing(probed, party)),
    ...(await probeReading(probed, party)),
    ...(await probeExecuting(probed, party)),
  ]
}

/** Makes something in the party's name and takes it back. */
async function probeActing(probed: Probed, party: string): Promise<readonly Violation[]> {
  const {
    stage: { ask, names, world },
    by,
    caller,
  } = probed
  const body = {
    commandId: names.fresh(),
    actAs: [party],
    commands: [commandOf({ deed: 'nothing', party }, names)],
  }
  const reply = await ask(by, 'POST /v2/commands/submit-and-wait', body)
  const isRightOnly =
    caller.kind === 'user' &&
    actsAs(world, caller.user, party) &&
    !canAct(world, caller.user, party)
  // A right on a party that the node does not sign for lets nobody act; which refusal it is does
  // not matter here.
  if (isRightOnly && reply.status >= 400 && reply.status < 500) return []
  return compared(
    probed,
    `act as ${party}`,
    expectedOf(probed, (user) => canAct(world, user, party)),
    reply,
  )
}

async function probeReading(probed: Probed, party: string): Promise<readonly Violation[]> {
  const { stage, by } = probed
  const body = { activeAtOffset: stage.feed.offset, eventFormat: eventFormatOf([party], false) }
  const reply = await stage.ask(by, 'POST /v2/state/active-contracts', body)
  const found = compared(
    probed,
    `read as ${party}`,
    expectedOf(probed, (user) => canRead(stage.world, user, party)),
    reply,
  )
  return [...found, ...invisible(stage, reply, [party])]
}

/**
 * Every contract that an answer shows is one that the parties are to see, each at its own node.
 */
export function invisible(
  { feed, world }: Stage,
  { status, text }: Reply,
  parties: readonly string[],
): readonly Violation[] {
  if (status !== 200) return []
  const here = parties.filter((party) => !world.elsewhere.has(party))
  const shown = new Set([...text.matchAll(/"contractId":"([0-9a-f]+)"/g)].map(([, id = '']) => id))
  const foreign = [...shown].filter((id) => {
    const contract = feed.known.get(id)
    return contract !== undefined && !isStakeholder(contract, here)
  })
  return foreign.map((id) => ({
    rule: 'reading shows what the party sees',
    detail: `${parties.join()} is shown ${feed.known.get(id)?.entity} ${id}`,
  }))
}

/** Each node has shown what its parties are to see, and nothing else. */
export function checkShown(stages: readonly Stage[]): readonly Violation[] {
  return stages.flatMap(({ feed, world, participant }, index) => {
    const here = partiesOfNode(world)
    const wrong = [...feed.known.values()].filter(
      (contract) =>
        isStakeholder(contract, here) !== (feed.shown[index]?.has(contract.id) === true),
    )
    return wrong.map(({ id, entity, signatories, observers }) => ({
      rule: 'a node shows what its parties see',
      detail: `${participant}: ${entity} ${id} of ${[...signatories, ...observers].join()}`,
    }))
  })
}

function isStakeholder({ signatories, observers }: Contract, parties: readonly string[]): boolean {
  return [...signatories, ...observers].some((party) => parties.includes(party))
}

/** Prepares for a party whose key is outside, and executes what the key signed. */
async function probeExecuting(probed: Probed, party: string): Promise<readonly Violation[]> {
  const { stage, by } = probed
  if (!isExternal(stage.world, party)) return []
  const { ask, names, synchronizer } = stage
  const command = commandOf({ deed: 'nothing', party }, names)
  const body = {
    commandId: names.fresh(),
    actAs: [party],
    commands: [command],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
  }
  const prepared = await ask(by, 'POST /v2/interactive-submission/prepare', body)
  const found = compared(
    probed,
    `prepare as ${party}`,
    expectedOf(probed, (user) => canExecute(stage.world, user, party)),
    prepared,
  )
  if (prepared.status !== 200 || found.length > 0) return found
  return compared(probed, `execute as ${party}`, 200, await execute(stage, { by, party }, prepared))
}

function execute(
  { ask, names, keys, world }: Stage,
  { by, party }: { readonly by: By; readonly party: string },
  prepared: Reply,
): Promise<Reply> {
  const hash = Buffer.from(
    String(member(prepared.json, 'preparedTransactionHash')),
    'base64',
  ).toString('hex')
  const all = world.parties.get(party)?.keys ?? []
  const signatures = [
    { party, signatures: all.map((key) => signatureOf(keys.holderOf(key), hash)) },
  ]
  return ask(by, 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: member(prepared.json, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared.json, 'hashingSchemeVersion'),
    submissionId: names.fresh(),
    partySignatures: { signatures },
  })
}
