// `verify` as an operator uses it: a ledger in use and at rest is sound, and every kind of damage
// is found and named, on both databases; nothing is written. docs/operations.md
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkLedger } from '../../runtime/cli/verify/check-ledger.ts'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import type { StorageMaintenance } from '../../runtime/index.ts'
import { kindsOf, userOf } from '../support/economy-load.ts'
import { MAIN, startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import type { SqlPlace } from '../support/sql-places.ts'
import { tempDir } from '../support/temp-dir.ts'
import { pay } from '../support/wallet-client.ts'
import { run } from './cli-kit.ts'
import type { Ended } from './cli-kit.ts'

const PACKAGE = Buffer.from('a package')
const PACKAGE_ID = createHash('sha256').update(PACKAGE).digest('hex')
const PAGE_BYTES = 4_096
const QUIET = { validator: { pollMs: 3_600_000 } }
const [folder, places] = [await tempDir(), await sqlPlaces()]
after(async () => {
  await places.release()
  await folder.remove()
})

function maintenanceOf(
  dialect: 'sqlite' | 'postgres',
  { childArguments: [where = ''] }: SqlPlace,
): StorageMaintenance {
  return dialect === 'sqlite'
    ? sqliteMaintenance(where)
    : postgresMaintenance({ dialect: 'postgres', connection: where, poolSize: 2 })
}

async function problemsOf({ inspect }: StorageMaintenance): Promise<readonly string[]> {
  const problems: string[] = []
  await inspect?.((ledger) => checkLedger(ledger, (_kind, text) => void problems.push(text)))
  return problems
}

/**
 * A table, a statement that damages it, and a pattern for each problem that follows, in any order.
 */
type Damage = readonly [what: string, table: string, sql: string, problems: readonly RegExp[]]

const COIN = `template_id like '%:Coin'`
const ONE_COIN = `contract_id = (select min(contract_id) from contracts where ${COIN} and archived_offset = 0)`
/**
 * One that is active after some update: one that its own update spends is in no snapshot, and has
 * no stakes.
 */
const SPENT = `contract_id = (select min(contract_id) from contracts where ${COIN} and archived_offset > created_offset)`
const TRANSFER = `body like '%"Archive"%' and body like '%"initialAmount":%'`
const A_TRANSFER = `ledger_offset = (select min(ledger_offset) from updates where ${TRANSFER})`

const UNFOUND = /^contract number \d+: a snapshot does not find it under its parties and time$/
const ACCRUED = /^total (un)?locked of "\S+": its accruals differ from those of its contracts$/
const SPARE = /^stakes: \d+ are of no contract$/

const DAMAGES: readonly Damage[] = [
  [
    'a payload',
    'contracts',
    `update contracts set payload = replace(payload, '"initialAmount":"', '"initialAmount":"9') where ${ONE_COIN}`,
    [
      /^contract 00\w+: it has content that does not match the hash in its id$/,
      /^total unlocked of "\S+": it is kept as \d+, contracts add up to 9?\d+$/,
      ACCRUED,
      /^total supply of "": it is kept as/,
    ],
  ],
  [
    'who signs',
    'contracts',
    `update contracts set signatories = '["mallory::1220"]' where ${ONE_COIN}`,
    [/^contract 00\w+: it has content that does not match the hash in its id$/, UNFOUND, SPARE],
  ],
  [
    'whose it is',
    'contracts',
    `update contracts set key1 = 'mallory::1220' where ${ONE_COIN}`,
    [
      /^contract 00\w+: it has keys or a rank that do not follow from its content$/,
      /^contract 00\w+: it is not kept as update \d+ created it: its offset, keys or rank differ$/,
    ],
  ],
  [
    'a spent coin that is active again',
    'contracts',
    `update contracts set archived_offset = 0 where ${SPENT}`,
    [
      /^contract 00\w+: update \d+ archived it, but it is not archived there$/,
      /^total (un)?locked of "\S+": it is kept as \d+, contracts add up to \d+$/,
      /^total (un)?locked of "\S+": it is kept as the sum of \d+ contracts, there are \d+$/,
      ACCRUED,
      /^total supply of "": it is kept as \d+, /,
      /^total supply of "": it is kept as the sum/,
      UNFOUND,
      SPARE,
    ],
  ],
  [
    'a coin that is spent by nobody',
    'contracts',
    `update contracts set archived_offset = created_offset where ${ONE_COIN}`,
    [
      /^contract 00\w+: it is archived at offset \d+, but that update does not archive it$/,
      /^total unlocked .* it is kept as \d+, /,
      /^total unlocked .* the sum of/,
      ACCRUED,
      /^total supply of "": it is kept as \d+, /,
      /^total supply of "": it is kept as the sum/,
      SPARE,
    ],
  ],
  [
    'an archiving after the end',
    'contracts',
    `update contracts set archived_offset = 99999 where ${SPENT}`,
    [
      /^contract 00\w+: it is created at offset \d+ and archived at 99999, the ledger ends at \d+$/,
      /^contract 00\w+: it is archived at offset 99999, but that update does not archive it$/,
      /^contract 00\w+: update \d+ archived it, but it is not archived there$/,
      UNFOUND,
      SPARE,
    ],
  ],
  [
    'a contract that is gone',
    'contracts',
    `delete from contracts where ${SPENT}`,
    [
      /^contract 00\w+: update \d+ created it, but it is not kept$/,
      /^contract 00\w+: update \d+ archived it, but it is not archived there$/,
      SPARE,
    ],
  ],
  [
    'the index by template',
    'contracts',
    `update contracts set template_key = 7 where ${ONE_COIN}`,
    [/^template \S+:Coin: some of its contracts are not found by it$/],
  ],
  [
    'a list that is not a list',
    'contracts',
    `update contracts set observers = '{' where ${SPENT}`,
    [
      /^table contracts: row \d+: Expected property name/,
      /^contract 00\w+: update \d+ created it, but/,
      /^contract 00\w+: update \d+ archived it, but/,
      SPARE,
    ],
  ],
  [
    'a total',
    'totals',
    `update totals set contract_count = contract_count + 1 where name = 'supply'`,
    [/^total supply of "": it is kept as the sum of \d+ contracts, there are \d+$/],
  ],
  [
    'an amount of a total',
    'totals',
    `update totals set amount = '5' where name = 'unlocked' and account like 'bob%'`,
    [/^total unlocked of "bob\S+": it is kept as 5, contracts add up to \d+$/],
  ],
  [
    'what holding fees come to',
    'accruals',
    `update accruals set rate = '5' where name = 'unlocked' and part = 'all' and account like 'bob%'`,
    [ACCRUED],
  ],
  [
    'a total that is gone',
    'totals',
    `delete from totals where name = 'supply'`,
    [
      /^total supply of "": it is kept as 0, /,
      /^total supply of "": it is kept as the sum of 0 contracts, /,
    ],
  ],
  [
    'the content of an update',
    'updates',
    `update updates set body = replace(body, '"initialAmount":"', '"initialAmount":"9') where ${A_TRANSFER}`,
    [/^update \d+: it creates contract 00\w+ with content that does not match the hash in its id$/],
  ],
  [
    'an update that is cut',
    'updates',
    `update updates set body = substr(body, 1, 200) where ledger_offset = 1`,
    [
      /^update 1: it does not parse: /,
      /^contract 00\w+: it is kept as created at offset 1, but that update does not create it$/,
    ],
  ],
  [
    'the id of an update',
    'updates',
    `update updates set update_id = '1220ff' where ledger_offset = 2`,
    [
      /^update 2: it has the id 1220ff, its body 1220\w{64}$/,
      /^command \w+: it names an update that is not there$/,
    ],
  ],
  [
    'a time',
    'updates',
    'update updates set record_time = 1 where ledger_offset = 3',
    [/^update 3: it has record time 1, the one before it \d+$/],
  ],
  [
    'the last update',
    'updates',
    'delete from updates where ledger_offset = (select last_offset from ledger_end)',
    [
      /^update \d+: it is missing$/,
      /^contract 00\w+: it is (kept as created|archived) at offset \d+, but that update does not/,
      /^command \w+: it names an update that is not there$/,
    ],
  ],
  [
    'the ledger end',
    'ledger_end',
    'update ledger_end set record_time = record_time + 1',
    [/^the ledger ends at record time \d+, its last update has \d+$/],
  ],
  [
    'an earlier end',
    'ledger_end',
    'update ledger_end set last_offset = last_offset - 1, last_sequence = last_sequence - 1, last_log_line = last_log_line - 1',
    [
      /^update \d+: it is after the ledger end \d+$/,
      /^contract 00\w+: it is created at offset \d+, the ledger has 1 to \d+$/,
      /^contract 00\w+: it is after the ledger end$/,
      /^log line \d+: it is after the ledger end$/,
      /^contract 00\w+: it is created at offset \d+ and archived at \d+, the ledger ends at \d+$/,
    ],
  ],
  ['no end', 'ledger_end', 'delete from ledger_end', [/^there is not one ledger end$/]],
  [
    'a command',
    'commands',
    `update commands set update_id = '1220ff' where command_key = (select min(command_key) from commands)`,
    [/^command \w+: it names an update that is not there$/],
  ],
  [
    'a line of a history',
    'logs',
    `update logs set body = '{"a":' where line = 1`,
    [/^table logs: row 1: Unexpected end of JSON input$/],
  ],
  [
    'a fact',
    'facts',
    `update facts set body = 'x' where fact_key = (select min(fact_key) from facts)`,
    [/^table facts: row \S+, .*: Unexpected token/],
  ],
  [
    'a package',
    'packages',
    `update packages set size = size + 1`,
    [new RegExp(`^package ${PACKAGE_ID}: its payload is not the one that its id vouches for$`)],
  ],
  [
    'what a party finds',
    'stakes',
    'delete from stakes where node = 0 and sequence = (select min(sequence) from stakes where node = 0)',
    [UNFOUND],
  ],
  [
    'what a party no longer has',
    'stakes',
    'update stakes set node = 0 where sequence = (select min(sequence) from stakes where node > 0)',
    [UNFOUND, SPARE],
  ],
  [
    'a move',
    'assignments',
    `insert into assignments (contract_id, ledger_offset, synchronizer_id) values ('00', 1, '')`,
    [/^contract 00: it moved, but is not there$/],
  ],
]

for (const dialect of ['sqlite', 'postgres'] as const) {
  describe(`verify on ${dialect}`, () => {
    let place: SqlPlace
    let service: Service
    let maintenance: StorageMaintenance
    let flags: readonly string[] = []
    const verify = (...args: readonly string[]): Promise<Ended> =>
      run(MAIN, ['verify', ...args, ...flags], { cwd: folder.path })

    before(async () => {
      place = await places[dialect]()
      maintenance = maintenanceOf(dialect, place)
      const [where] = place.childArguments
      const storage =
        dialect === 'sqlite' ? { use: 'sqlite', file: where } : { use: 'postgres', url: where }
      const file = join(folder.path, `${dialect}.json`)
      await writeFile(file, JSON.stringify({ storage }))
      flags = ['--config', file, '--data', folder.path]
      service = await startService({ config: { storage, ...QUIET }, seeded: true })
    })
    after(() => service.stop())

    test('while payments go on nothing is wrong', async () => {
      const [alice, bob] = [await userOf(service, 'alice'), await userOf(service, 'bob')]
      const kinds = (await kindsOf(service, alice, bob)).filter((kind) => kind !== 'offer')
      const work = { paid: 0, isOver: false }
      const load = (async () => {
        for (let number = 0; !work.isOver; number += 1) {
          const kind = kinds[number % kinds.length] ?? 'send'
          assert.deepEqual(
            await pay(service.url, {
              kind,
              from: alice,
              to: bob,
              amount: '1.5',
              id: `v-${number}`,
            }),
            { end: 'paid' },
          )
          work.paid += 1
        }
      })()
      const { code, stdout, stderr } = await verify()
      work.isOver = true
      await load
      assert.deepEqual([code, stderr], [0, ''], stdout)
      assert.match(stdout, /^no problem in \d+ updates, \d+ contracts and \d+ totals: \S+\n$/)
      assert.ok(work.paid > 0, 'payments were made meanwhile')
      assert.equal(await service.stop(), 0)
    })

    test('every damage is found and named, and nothing else', async (t) => {
      const store = await place.open()
      const upload = {
        packageId: PACKAGE_ID,
        name: 'main',
        version: '1.0.0',
        size: PACKAGE.length,
        summary: '{}',
      }
      await store.packages.upload([{ ...upload, readPayload: async () => PACKAGE }], [], 0n)
      await store.close()
      // What is found is the same for both; how it is read is shown by some.
      for (const [what, table, sql, expected] of DAMAGES.filter(
        (_each, index) => dialect === 'sqlite' || index % 3 === 0,
      )) {
        await t.test(what, () =>
          damaged(place, table, sql, async () => {
            const problems = await problemsOf(maintenance)
            for (const pattern of expected)
              assert.ok(
                problems.some((line) => pattern.test(line)),
                `${String(pattern)}:\n${problems.slice(0, 20).join('\n')}`,
              )
            assert.deepEqual(
              problems.filter((line) => !expected.some((pattern) => pattern.test(line))),
              [],
            )
          }),
        )
      }
      assert.deepEqual(await problemsOf(maintenance), [])
    })

    test('the command ends with 1 and a line for each problem, or JSON', async () => {
      await damaged(
        place,
        'totals',
        `update totals set contract_count = 0, amount = '7' where name = 'supply'`,
        async () => {
          const { code, stdout, stderr } = await verify()
          assert.deepEqual([code, stderr], [1, ''])
          assert.match(
            stdout,
            /^total supply .* kept as 7, .*\ntotal supply .*\n2 problems in \d+ updates, \d+ contracts and \d+ totals: \S+\n$/,
          )
          const json = await verify('--json')
          assert.equal(json.code, 1)
          const { checked, found, problems, location } = JSON.parse(json.stdout)
          assert.ok(
            checked.updates > 5 &&
              checked.contracts > 20 &&
              checked.totals > 5 &&
              stdout.includes(location),
          )
          assert.deepEqual(
            [found, problems[0]],
            [2, { kind: 'total', text: stdout.slice(0, stdout.indexOf('\n')) }],
          )
        },
      )
      const { code, stdout } = await verify('--json')
      assert.deepEqual([code, JSON.parse(stdout).problems], [0, []])
    })

    test('what is pruned is not missed, what is left is checked', async () => {
      const store = await place.open()
      const end = await store.updates.ledgerEnd()
      await store.updates.prune(end - 4n)
      assert.deepEqual(await problemsOf(maintenance), [])
      await damaged(
        place,
        'updates',
        `delete from updates where ledger_offset = ${end - 2n}`,
        async () => {
          assert.ok((await problemsOf(maintenance)).includes(`update ${end - 2n}: it is missing`))
        },
      )
      await store.updates.prune(end)
      await store.close()
      assert.deepEqual(await problemsOf(maintenance), [])
      await damaged(
        place,
        'contracts',
        `update contracts set payload = '{}' where ${ONE_COIN}`,
        async () => {
          assert.match(
            (await problemsOf(maintenance))[0] ?? '',
            /^contract 00\w+: it has content that does not match the hash in its id$/,
          )
        },
      )
    })
  })
}

test('bytes that change in a SQLite file are found wherever they are, and the file is only read', async () => {
  const place = await places.sqlite()
  const [file = ''] = place.childArguments
  const service = await startService({
    config: { storage: { use: 'sqlite', file }, ...QUIET },
    seeded: true,
  })
  await service.stop()
  const bytes = await readFile(file)
  const amount = Buffer.from('"initialAmount":"20000.0000000000"')
  const copy = join(folder.path, 'copy.sqlite')
  const problems = async (at: number, put: Buffer): Promise<readonly string[]> => {
    const changed = Buffer.from(bytes)
    put.copy(changed, at)
    await writeFile(copy, changed)
    // Where not even the names of the tables can be read, there is but this to say.
    const found = await problemsOf(sqliteMaintenance(copy)).catch((error: Error) => [
      error.message.replace(/^Cannot use .*: /, 'storage: '),
    ])
    assert.deepEqual(await readFile(copy), changed)
    return found
  }
  for (let at = bytes.indexOf(amount); at >= 0; at = bytes.indexOf(amount, at + 1)) {
    const found = await problems(at + '"initialAmount":"'.length, Buffer.from('9'))
    assert.ok(
      found.length > 0 && found.every((line) => /^(contract|update|total|storage) /.test(line)),
      found.slice(0, 20).join('\n'),
    )
  }
  const pages = bytes.length / PAGE_BYTES
  for (let page = 2; page < pages; page += 7) {
    const found = await problems(page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0x5a))
    assert.ok(
      found.some((line) => line.startsWith('storage: ')),
      `page ${page}: ${found.slice(0, 20).join('\n')}`,
    )
  }
})

test('what cannot be verified is said in one line', async () => {
  const file = join(folder.path, 'empty.sqlite')
  await writeFile(file, '')
  await assert.rejects(problemsOf(sqliteMaintenance(file)), /empty\.sqlite: it is empty/)
  await assert.rejects(
    problemsOf(sqliteMaintenance(join(folder.path, 'none.sqlite'))),
    /none\.sqlite: it is not there/,
  )
  const { code, stdout, stderr } = await run(
    MAIN,
    ['verify', '--data', join(folder.path, 'nothing')],
    { cwd: folder.path },
  )
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^ledgerwright: Cannot use the data file \S+: it is not there\n$/)
})

/** Damages a table for as long as `act` takes. */
async function damaged(
  place: SqlPlace,
  table: string,
  sql: string,
  act: () => Promise<void>,
): Promise<void> {
  await place.run(`create table saved as select * from ${table};\n${sql}`)
  try {
    await act()
  } finally {
    await place.run(
      `delete from ${table};\ninsert into ${table} select * from saved;\ndrop table saved`,
    )
  }
}
