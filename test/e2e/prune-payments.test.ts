// What people notice of a pruning: they pay each other, an operator prunes beside the service, and
// whoever asks from the pruned offset on gets the same answers, request ids included. And a pruning
// that is killed at its work: what is left is consistent, and the next one ends it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import { member } from '../../runtime/host/member.ts'
import { simulateYear } from '../soak/year.ts'
import { userOf } from '../support/economy-load.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { MAIN, startService, type Service } from '../support/service.ts'
import { sqlPlaces, type SqlPlace } from '../support/sql-places.ts'
import { ask, pay, sendBody } from '../support/wallet-client.ts'
import type { Payment, WalletUser } from '../support/wallet-client.ts'
import { run, tempFolder } from './cli-kit.ts'

const QUIET = { validator: { pollMs: 3_600_000 }, ledger: { maxListElements: 10_000 } }
const PAYMENTS = 8

const places = await sqlPlaces()
after(() => places.release())

const DIALECTS = ['sqlite', 'postgres'] as const

function sectionOf(dialect: 'sqlite' | 'postgres', place: SqlPlace): object {
  const [where] = place.childArguments
  return dialect === 'sqlite' ? { use: 'sqlite', file: where } : { use: 'postgres', url: where }
}

interface People {
  readonly service: Service
  readonly alice: WalletUser
  readonly bob: WalletUser
}

for (const dialect of DIALECTS) {
  test(`${dialect}: people do not notice a pruning, but for how far their histories reach`, async () => {
    const place = await places[dialect]()
    const config = { storage: sectionOf(dialect, place), ...QUIET }
    const service = await startService({ config, seeded: true })
    const [alice, bob] = [await userOf(service, 'alice'), await userOf(service, 'bob')]
    const people = { service, alice, bob }
    await ask(service.url, bob, 'POST /transfer-preapproval')
    assert.equal((await ask(service.url, alice, 'POST /tap', { amount: '500' })).status, 200)
    await sendAll(people, 'early')
    const upTo = await endOf(people)
    await sendAll(people, 'late')
    const end = await endOf(people)
    const before = await answersFrom(people, upTo, end)
    const told = await historyOf(people)
    const command = (...args: readonly string[]) =>
      run(MAIN, [...args, '--data', service.dataDir], { cwd: service.dataDir })

    assert.match((await command('status', '--sizes')).stdout, /^contracts +\d+ +\d+\.\d +\d+\.\d$/m)
    const pruned = await command('prune', '--up-to', String(upTo))
    assert.deepEqual(pruned, { code: 0, stdout: `pruned up to ${upTo}\n`, stderr: '' })
    assert.equal(await countOf(place, PRUNED), 0)

    assert.deepEqual(await answersFrom(people, upTo, end), before)
    assertRefused(await contractsAt(people, upTo - 1), upTo)
    assertRefused(await updatesFrom(people, upTo - 1, end), upTo)
    const kept = await historyOf(people)
    assert.deepEqual(kept, told.slice(0, kept.length))
    assert.equal(kept.length, PAYMENTS)
    await assertRepeats(people, 'early-0')
    assert.equal(await endOf(people), end)
    const { code, stdout } = await command('verify')
    assert.equal(code, 0, stdout)
    await service.stop()

    const again = await startService({ config, dataDir: service.dataDir })
    const [payer, payee] = [await userOf(again, 'alice'), await userOf(again, 'bob')]
    const after = { service: again, alice: payer, bob: payee }
    await assertRepeats(after, 'early-1')
    await sendAll(after, 'after')
    await again.stop()
  })

  test(`${dialect}: a pruning that is killed leaves a consistent ledger, and the next one ends it`, async (t) => {
    const place = await places[dialect]()
    const [where = ''] = place.childArguments
    const ends: bigint[] = []
    const year = { place: where, months: 3, daysPerMonth: 5, paymentsPerMonth: 300 }
    await simulateYear(year, ({ updates }) => ends.push(updates))
    const { path, remove } = tempFolder({
      'ledgerwright.config.json': JSON.stringify({ storage: sectionOf(dialect, place) }),
    })
    const reached: string[] = []
    // The table that is being emptied when it is killed.
    for (const [index, table] of ['updates', 'contracts', 'logs'].entries()) {
      const args = ['prune', '--up-to', String(ends[index])]
      if (await killedWithin(args, path, place, table)) reached.push(table)
      assert.deepEqual(await problemsOf(dialect, where), [], table)
    }
    t.diagnostic(`killed while it deleted: ${reached.join(', ')}`)
    assert.ok(reached.length > 0, 'no kill came while it deleted')
    await run(MAIN, ['prune', '--up-to', String(ends[2])], { cwd: path })
    assert.equal(await countOf(place, PRUNED), 0)
    assert.deepEqual(await problemsOf(dialect, where), [])
    remove()
  })
}

async function sendAll(people: People, name: string): Promise<void> {
  for (let number = 0; number < PAYMENTS; number += 1)
    assert.deepEqual(await pay(people.service.url, paymentOf(people, `${name}-${number}`)), {
      end: 'paid',
    })
}

function paymentOf({ alice, bob }: People, id: string): Payment {
  return { kind: 'send', from: alice, to: bob, amount: '1.5', id }
}

/** The same request is answered as it was, and another one with its id is refused. */
async function assertRepeats(people: People, id: string): Promise<void> {
  const { service, alice } = people
  const balance = await balanceOf(people, alice)
  const send = (payment: Payment): Promise<Answer> =>
    ask(service.url, alice, 'POST /transfer-preapproval/send', sendBody(payment))
  assert.equal((await send(paymentOf(people, id))).status, 200)
  assert.equal((await send({ ...paymentOf(people, id), amount: '2' })).status, 409)
  assert.deepEqual(await balanceOf(people, alice), balance)
}

async function answersFrom(people: People, from: number, end: number): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const offset of new Set([from, Math.floor((from + end) / 2), end]))
    answers.push(
      (await contractsAt(people, offset)).json,
      (await updatesFrom(people, offset, end)).json,
    )
  for (const user of [people.alice, people.bob]) answers.push(await balanceOf(people, user))
  return answers
}

async function endOf({ service, alice: { token } }: People): Promise<number> {
  const { json } = await call(service.url, 'GET /v2/state/ledger-end', { token })
  return Number(member(json, 'offset'))
}

const EVERYTHING = { cumulative: [] }

function contractsAt(
  { service, alice: { token, party } }: People,
  offset: number,
): Promise<Answer> {
  const body = { activeAtOffset: offset, eventFormat: { filtersByParty: { [party]: EVERYTHING } } }
  return call(service.url, 'POST /v2/state/active-contracts', { token, body })
}

function updatesFrom(
  { service, alice: { token, party } }: People,
  beginExclusive: number,
  endInclusive: number,
): Promise<Answer> {
  const eventFormat = { filtersByParty: { [party]: EVERYTHING } }
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' }
  const body = { beginExclusive, endInclusive, updateFormat: { includeTransactions } }
  return call(service.url, 'POST /v2/updates', { token, body })
}

function assertRefused({ status, json }: Answer, upTo: number): void {
  assert.equal(status, 400)
  assert.equal(member(json, 'code'), 'PARTICIPANT_PRUNED_DATA_ACCESSED')
  assert.equal(member(member(json, 'context'), 'earliest_offset'), String(upTo))
}

async function balanceOf({ service }: People, user: WalletUser): Promise<unknown> {
  return (await ask(service.url, user, 'GET /balance')).json
}

async function historyOf({ service, bob }: People): Promise<readonly unknown[]> {
  const { json } = await ask(service.url, bob, 'POST /transactions', { page_size: 100 })
  const items = member(json, 'items')
  assert.ok(Array.isArray(items))
  return items
}

/** Rows that are still there though they are pruned; the newest of two tables stay. */
const PRUNED = `select (select count(*) from updates where ledger_offset <= up_to)
  + (select count(*) from contracts where archived_offset > 0 and archived_offset <= up_to and sequence < last_sequence)
  + (select count(*) from stakes where archived_offset > 0 and archived_offset <= up_to and sequence < last_sequence)
  + (select count(*) from logs where ledger_offset <= up_to and line < last_log_line)
  + (select count(*) from facts where pruned_with > 0 and pruned_with <= up_to) as number
  from pruning, ledger_end`

async function countOf(place: SqlPlace, sql: string): Promise<number> {
  const [row] = await place.run(sql)
  return Number(member(row, 'number'))
}

/** Kills the command once the table has fewer rows; whether some were left to be deleted. */
async function killedWithin(
  args: readonly string[],
  cwd: string,
  place: SqlPlace,
  table: string,
): Promise<boolean> {
  const rows = (): Promise<number> => countOf(place, `select count(*) as number from ${table}`)
  const before = await rows()
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: 'ignore' })
  const ended = once(child, 'exit')
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver && (await rows()) === before) await new Promise(setImmediate)
  child.kill('SIGKILL')
  await ended
  return (await countOf(place, PRUNED)) > 0
}

async function problemsOf(
  dialect: 'sqlite' | 'postgres',
  where: string,
): Promise<readonly string[]> {
  const { checkLedger } = await import('../../runtime/cli/verify/check-ledger.ts')
  const { inspect } =
    dialect === 'sqlite'
      ? sqliteMaintenance(where)
      : postgresMaintenance({ dialect: 'postgres', connection: where, poolSize: 2 })
  const problems: string[] = []
  await inspect?.((ledger) => checkLedger(ledger, (_kind, text) => void problems.push(text)))
  return problems
}
