// Every version opens the data of every release: the data folder as it lay there, and the backup,
// restored into either database. What was in it is found again exactly, by the public operations;
// then its people go on with it.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { auditTotals } from '../../runtime/cli/audit-totals.ts'
import { run, tempFolder } from '../e2e/cli-kit.ts'
import { historySum } from '../support/audit.ts'
import { eventually } from '../support/eventually.ts'
import { MAIN } from '../support/service.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { placeOf } from '../support/store-file.ts'
import { at, listAt, textAt } from './client.ts'
import type { Client } from './client.ts'
import { idOf } from './making/making.ts'
import { nextNonce, order, send } from './making/payments.ts'
import { activeContracts, balancesOf, observe, updatesOf } from './observe.ts'
import type { Observed } from './observe.ts'
import { releases } from './release.ts'
import type { Release } from './release.ts'
import { notBefore, serving } from './serving.ts'

const all = await releases()
test('data of releases', (t) => t.diagnostic(`${all.length} releases were made so far`))
const places = await sqlPlaces()
after(() => places.release())

const ZERO = '0.0000000000'

/** A way to bring a release's data to life: puts it there, and answers the storage section. */
interface Opening {
  readonly name: string
  open(release: Release, dataDir: string): Promise<object>
}

const OPENINGS: readonly Opening[] = [
  {
    name: 'the data folder',
    open: async (release, dataDir) => {
      await release.unpack(dataDir)
      return { use: 'sqlite' }
    },
  },
  {
    name: 'the backup, restored into SQLite',
    open: (release, dataDir) => restored(release, dataDir, { use: 'sqlite' }),
  },
  {
    name: 'the backup, restored into PostgreSQL',
    open: async (release, dataDir) =>
      restored(release, dataDir, {
        use: 'postgres',
        url: (await places.postgres()).childArguments[0],
      }),
  },
]

for (const release of all) {
  describe(`data of ${release.version}`, () => {
    for (const { name, open } of OPENINGS) {
      test(`${name} has all that was in it, and lives on`, async () => {
        const folder = tempFolder()
        try {
          const storage = await open(release, folder.path)
          await serving({ dataDir: folder.path, storage }, async (client) => {
            await notBefore(client, release.madeAt)
            const observed = await observe(client, release.kept, release.madeAt)
            assert.deepEqual(observed, release.observed)
            assertAgrees(observed)
            await repeatNothing(client, release)
            await goOn(client, release)
          })
          await serving(
            {
              dataDir: folder.path,
              storage,
              automations: {},
              config: { validator: { pollMs: 50 } },
            },
            async (client) => {
              await notBefore(client, release.madeAt)
              await finishWaiting(client, release)
            },
          )
          await assertAudited(storage, folder.path)
        } finally {
          folder.remove()
        }
      })
    }
  })
}

/** Wallets, scan and histories say of the same coin what contracts say. */
function assertAgrees({ balances, snapshot, externals, wallets }: Observed): void {
  const sums = Object.entries(balances).map(([party, { unlocked, locked }]) => [
    party,
    unlocked,
    locked,
  ])
  assert.deepEqual(snapshot.sums, sums)
  for (const [party, { unlocked, locked }] of Object.entries(externals)) {
    assert.deepEqual(
      [unlocked, locked],
      [balances[party]?.unlocked ?? ZERO, balances[party]?.locked ?? ZERO],
    )
  }
  for (const { party = '', balance, history = [] } of wallets.filter(
    ({ status }) => status === 200,
  )) {
    const { unlocked, locked } = balances[party] ?? { unlocked: ZERO, locked: ZERO }
    assert.deepEqual(balance, { effective_unlocked_qty: unlocked, effective_locked_qty: locked })
    assert.equal(historySum(history.flat(), party), units(unlocked), `history of ${party}`)
  }
}

async function restored(
  { backupFile }: Release,
  dataDir: string,
  storage: object,
): Promise<object> {
  const config = join(dataDir, 'restore.json')
  await writeFile(config, JSON.stringify({ storage }))
  const { code, stdout, stderr } = await run(
    MAIN,
    ['restore', '--in-place', '--from', backupFile, '--config', config, '--data', dataDir],
    { cwd: dataDir },
  )
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^totals agree with \d+ active contracts$/m)
  return storage
}

/** Repeats what was done before, which is not done twice: the first answer, or a conflict. */
async function repeatNothing(client: Client, { kept, observed }: Release): Promise<void> {
  for (const { user, line, body } of kept.repeated) {
    const { status, text } = await client.ask(user, line, body)
    assert.ok(status === 200 || status === 409, text)
  }
  for (const { user, party } of kept.wallets.filter(({ provider }) => provider === '')) {
    assert.equal(
      at(await client.done('operator', 'POST /v0/admin/users', { name: user }), 'party_id'),
      party,
    )
  }
  assert.equal(await endOf(client), observed.ledgerEnd, 'nothing was written')
}

/**
 * A payment, one that was accepted, one that a key orders, and a contract that comes back, exact to
 * the last place.
 */
async function goOn(client: Client, { kept, observed }: Release): Promise<void> {
  const { balances, contracts, ledgerEnd } = observed
  const acting = { ...client, kept }
  const [alice, bob, grace] = [idOf(acting, 'alice'), idOf(acting, 'bob'), idOf(acting, 'grace')]
  await send(acting, { from: 'alice', to: 'grace', amount: '1.2500000001', id: 'years-later' })
  const [[instruction = '', payload] = []] = Object.entries(
    contracts['CoinTransferInstruction'] ?? {},
  )
  await client.done('alice', `POST /v0/wallet/token-standard/transfers/${instruction}/accept`)
  await order(acting, 'vault', { to: 'bob', amount: '3', nonce: 2 })
  const [connected] = listAt(
    await client.done('operator', 'GET /v2/state/connected-synchronizers'),
    'connectedSynchronizers',
  )
  for (const id of kept.inFlight) {
    const body = { synchronizer_id: textAt(connected, 'synchronizerId') }
    await client.done('operator', `POST /v0/admin/network/contracts/${id}/reassign`, body)
  }
  const end = await endOf(client)
  assert.equal(end, ledgerEnd + 3 + kept.inFlight.length)
  const moves = (updates: Observed['updates']): readonly unknown[] =>
    updates
      .filter(([, , kind]) => kind === 'Reassignment')
      .map(([, , , event]) => String(event).split(' ').at(-1))
  assert.deepEqual(moves(await updatesOf(client, ledgerEnd, end)), moves(observed.updates))
  const now = await activeContracts(client, end)
  assert.deepEqual(
    kept.inFlight.filter((id) => now['TestTokenHolding']?.[id] === undefined),
    [],
  )
  assert.equal(
    Object.keys(now['TransferCommand'] ?? {}).length,
    Object.keys(contracts['TransferCommand'] ?? {}).length + 1,
  )
  const held = balancesOf(now)
  const change = (party: string, kind: 'unlocked' | 'locked'): bigint =>
    units(held[party]?.[kind] ?? ZERO) - units(balances[party]?.[kind] ?? ZERO)
  const [sent, accepted] = [1_2500000001n, units(textAt(payload, 'transfer', 'amount'))]
  const unlocked = [alice, bob, grace].map((party) => change(party, 'unlocked'))
  assert.deepEqual([...unlocked, change(bob, 'locked')], [accepted - sent, 0n, sent, -accepted])
}

/** Finishes what waited for automations; those that were paused still are. */
async function finishWaiting(client: Client, { kept }: Release): Promise<void> {
  const acting = { ...client, kept }
  const state = async () => [
    at(await client.done('bob', 'POST /v0/wallet/transfer-offers/accepted/status'), 'status'),
    at(
      await client.done('alice', 'POST /v0/wallet/buy-traffic-requests/open-request/status'),
      'status',
    ),
    await nextNonce(acting, 'vault'),
  ]
  await eventually(['completed', 'completed', '3'], state)
  const automations = listAt(
    await client.done('operator', 'GET /v0/admin/automations'),
    'automations',
  )
  const paused = automations
    .filter((automation) => at(automation, 'state') === 'paused')
    .map((automation) => at(automation, 'name'))
  assert.deepEqual(paused, ['sweeps'])
}

async function endOf(client: Client): Promise<number> {
  return Number(at(await client.done('auditor', 'GET /v2/state/ledger-end'), 'offset'))
}

/** Coin x 10^10. */
function units(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

async function assertAudited(storage: object, dataDir: string): Promise<void> {
  const place = placeOf(storage, dataDir)
  const store = await openSqlStore(
    'file' in place
      ? { dialect: 'sqlite', file: place.file }
      : { dialect: 'postgres', connection: place.url, poolSize: 1 },
  )
  const { problems } = await auditTotals(store.contracts)
  await store.close()
  assert.deepEqual(problems, [])
}
