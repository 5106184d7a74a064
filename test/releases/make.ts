// Makes the data of this version of the program: starts the service on an empty folder, has people
// do everything that there is to do, until a contract of every template is active, and puts data
// folder, backup and what has to be found in them into a folder beside this file.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allTemplates } from '../../runtime/contracts/index.ts'
import { isoOf } from '../../runtime/host/clock.ts'
import { productVersion } from '../../runtime/cli/version.ts'
import { run, tempFolder } from '../e2e/cli-kit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { assertSound } from '../support/audit.ts'
import { MAIN } from '../support/service.ts'
import { readStore } from '../support/store-file.ts'
import { at } from './client.ts'
import type { Client } from './client.ts'
import { newIssuerKey, startIssuer } from './keys.ts'
import type { Issuer } from './keys.ts'
import { leaveRequests, subscribe } from './making/apps.ts'
import { advance, idOf, networkOf, nowOf } from './making/making.ts'
import type { Making } from './making/making.ts'
import { govern } from './making/govern.ts'
import { allocateFund, useTestToken, vote } from './making/network.ts'
import * as payments from './making/payments.ts'
import * as people from './making/people.ts'
import { delegateMerging, leavePayments, leaveProposals } from './making/waiting.ts'
import { observe } from './observe.ts'
import { folderOf, writeRelease } from './release.ts'
import type { Kept, Release } from './release.ts'
import { notBefore, serving } from './serving.ts'

const TICK_SECONDS = 60
/** 73 years: what has a term outlives whoever opens the data. */
const LONG = 2_300_000_000
const POLL_MS = 50
const QUIET_LOOKS = 8
/** Updates up to here are pruned: the beginning of the network, before anybody has coin. */
const PRUNED = 2

/**
 * Settings of the network's beginning, which stay in its contracts; a later start needs none of it.
 */
const BEGINNING = {
  network: {
    tickSeconds: TICK_SECONDS,
    legacyTransferRewardRate: '0.01',
    tokenStandardMaxTtlSeconds: 3_000_000_000,
    transferPreapprovalBaseSeconds: LONG,
    voteRequestTimeoutSeconds: LONG,
  },
  validator: { pollMs: POLL_MS, transferPreapproval: { preapprovalLifetimeSeconds: LONG } },
}

if (import.meta.main) await makeFixture(folderOf(productVersion()))

async function makeFixture(folder: string): Promise<void> {
  if (existsSync(folder) && !process.argv.includes('--force'))
    throw new Error(`${folder} is there already; --force replaces it`)
  const { observed } = await makeRelease(folder)
  const missing = allTemplates
    .map(({ id }) => id.split(':').at(-1) ?? '')
    .filter((entity) => observed.counts[entity] === undefined)
  assert.deepEqual(missing, [], 'templates without an active contract')
  console.log(`${folder}: ledger end ${observed.ledgerEnd}, supply ${observed.supply}`)
}

/** Makes the data of this version and writes it into a folder as a release. */
export async function makeRelease(folder: string): Promise<Release> {
  const scratch = tempFolder()
  try {
    return await make(folder, scratch.path)
  } finally {
    scratch.remove()
  }
}

async function make(folder: string, scratch: string): Promise<Release> {
  const dataDir = join(scratch, 'data')
  const kept: Kept = {
    parties: {},
    wallets: [],
    gone: [],
    repeated: [],
    inFlight: [],
    partyKeys: {},
    issuer: { provider: 'acme', issuer: 'https://login.acme.example', privateKey: newIssuerKey() },
  }
  const issuer = await startIssuer(kept.issuer.issuer, kept.issuer.privateKey)
  const tokens = Object.fromEntries(
    ['grace', 'heidi', 'acme-admin'].map((user) => [user, issuer.tokenOf(user)]),
  )
  const making = async (client: Client): Promise<Making> => ({
    ...client,
    network: await networkOf(client),
    kept,
  })
  const working = {
    dataDir,
    automations: { topup: { targetThroughput: 2_000_000, everyMs: POLL_MS } },
    config: BEGINNING,
    tokens,
  }
  const then = await serving(working, async (client) => happen(await making(client), issuer))
  const later = microsOf(then) + 3n * BigInt(TICK_SECONDS) * 1_000_000n
  await govern({
    file: join(dataDir, 'ledgerwright.sqlite'),
    now: later,
    party: idOf({ kept }, 'heidi'),
  })
  const madeAt = await serving({ dataDir, config: BEGINNING, tokens }, async (client, service) => {
    await notBefore(client, isoOf(Number(later / 1_000n)))
    const end = await leave(await making(client))
    // So that what a server leaves behind that has no time to end is in the data as well.
    await service.kill()
    return end
  })
  await issuer.stop()
  assertSound(await readStore({ file: join(dataDir, 'ledgerwright.sqlite') }))
  await ledgerwright(dataDir, 'prune', '--up-to', String(PRUNED))
  const backup = join(scratch, 'ledger.backup')
  await ledgerwright(dataDir, 'backup', '--to', backup)
  const copy = join(scratch, 'copy')
  await cp(dataDir, copy, { recursive: true })
  const observed = await serving({ dataDir: copy }, (client) => observe(client, kept, madeAt))
  return writeRelease(
    folder,
    { version: productVersion(), madeAt, kept, observed },
    { dataDir, backup: await readFile(backup) },
  )
}

/** Makes what was and is over; answers the ledger's time at the end. */
async function happen(making: Making, issuer: Issuer): Promise<string> {
  await people.makeProviders(making, issuer)
  await people.uploadPackages(making)
  await people.makeParties(making)
  await people.makeWallets(making)
  await people.hostParty(making, 'vault')
  await people.makeUsers(making)
  await payments.tapAll(making)
  await payments.setUpOutsider(making, 'vault')
  await people.allocateOutside(making, 'cellar', 'clerk')
  await payments.pay(making)
  await payments.send(making, {
    from: 'alice',
    to: 'vault',
    amount: '64.0000000064',
    id: 'savings',
  })
  await payments.order(making, 'vault', { to: 'bob', amount: '1.5', nonce: 0 })
  await eventuallyHolds(
    'the order is carried out',
    async () => (await payments.nextNonce(making, 'vault')) === '1',
  )
  await payments.proposeMinting(making, 'vault', 'alice')
  await payments.acceptMinting(making, 'alice')
  await payments.buyTraffic(making, 'done')
  await vote(making, 'bob')
  await passRounds(making, 8)
  await people.endWallets(making)
  // Coupons of a round that is still open.
  await payments.payByOffer(making, { from: 'alice', to: 'bob', amount: '33', id: 'late' })
  await payments.send(making, { from: 'alice', to: 'bob', amount: '0.0000000001', id: 'least' })
  await subscribe(making)
  await making.done(people.OPERATOR, 'POST /v0/admin/automations/sweeps/pause')
  await quiet(making)
  return nowOf(making)
}

/** Makes what is not over yet; likewise. */
async function leave(making: Making): Promise<string> {
  await delegateMerging(making)
  await leavePayments(making)
  await leaveProposals(making)
  await leaveRequests(making)
  await allocateFund(making, 'ivan')
  await useTestToken(making, 'clerk', 'issuer')
  await vote(making, 'carol')
  await people.parkProvider(making)
  await making.done('', 'POST /api/scan/v0/state/acs/force', {})
  await advance(making, 1)
  return nowOf(making)
}

function microsOf(time: string): bigint {
  return BigInt(Date.parse(time)) * 1_000n
}

async function passRounds(making: Making, count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    await advance(making, TICK_SECONDS)
    await quiet(making)
  }
}

/** Waits until nothing was committed for some polls. */
async function quiet({ done }: Making): Promise<void> {
  let [last, same]: [unknown, number] = [undefined, 0]
  while (same < QUIET_LOOKS) {
    await sleep(POLL_MS)
    const end = at(await done('auditor', 'GET /v2/state/ledger-end'), 'offset')
    same = end === last ? same + 1 : 0
    last = end
  }
}

async function ledgerwright(dataDir: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(MAIN, [...args, '--data', dataDir], { cwd: dataDir })
  assert.equal(code, 0, stderr)
}
