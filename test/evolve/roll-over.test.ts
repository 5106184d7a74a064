// A ledger with contracts of many templates goes through three versions of two contract packages:
// nothing is lost, sums are exact to the last place, and servers of two versions share the data
// while they are rolled over. docs/decisions/0012
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { run, tempFolder } from '../e2e/cli-kit.ts'
import type { Ended } from '../e2e/cli-kit.ts'
import { at, textAt } from '../releases/client.ts'
import type { Client } from '../releases/client.ts'
import { idOf } from '../releases/making/making.ts'
import { send } from '../releases/making/payments.ts'
import { makeRelease } from '../releases/make.ts'
import { activeContracts, balancesOf } from '../releases/observe.ts'
import type { Observed } from '../releases/observe.ts'
import { notBefore, serving } from '../releases/serving.ts'
import type { Serving } from '../releases/serving.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { nextVersion, SECOND, THIRD } from './versions.ts'
import type { ProgramVersion } from './versions.ts'

const COIN = 'network-coin:Network.Coin:Coin'
const UNREADABLE = /was written with a version of its package that this server does not know/

const made = tempFolder()
const release = await makeRelease(made.path)
const places = await sqlPlaces()
let second: ProgramVersion
let third: ProgramVersion

before(async () => {
  second = await nextVersion(SECOND)
  third = await nextVersion(THIRD, second.folder)
})

after(async () => {
  await Promise.all([places.release(), second.remove(), third.remove()])
  made.remove()
})

describe('contract packages in three versions', () => {
  test('a folder of SQLite goes from version to version, and not back', async () => {
    const folder = tempFolder()
    const data = { dataDir: folder.path, storage: { use: 'sqlite' } }
    const bank = new Bank(release.observed.balances)
    try {
      await release.unpack(folder.path)
      const others = await servedBy(second, data, async (client) => {
        await bank.assertExact(client)
        await bank.pay(client, 'alice', 'grace', '1.2500000001')
        assert.deepEqual(await coinVersions(client), ['0.3.0', '0.4.0'])
        return countOf(client)
      })
      await servedBy(third, data, async (client) => {
        await bank.assertExact(client)
        assert.equal(await countOf(client), others, 'every other contract is there')
        await bank.pay(client, 'alice', 'grace', '0.0000000001')
        await bank.accept(client)
        assert.deepEqual(await coinVersions(client), ['0.3.0', '0.4.0', '0.5.0'])
      })
      const verified = await done(third, ['verify'], data)
      assert.match(verified, /no problem/)
      const { code, stdout, stderr } = await command(second, ['serve', '--port', '0'], data)
      const lines = stderr.match(/^ledgerwright: /gm)
      assert.deepEqual([code, stdout, lines?.length], [1, '', 1], stderr)
      assert.match(stderr, /cannot read: .*network-coin:Network\.Coin:Coin of version 0\.5\.0/)
      assert.match(
        stderr,
        /start the program that wrote them, or see each with "ledgerwright verify"/,
      )
    } finally {
      folder.remove()
    }
  })

  test('servers of two versions share PostgreSQL; the older refuses what it cannot read, and nothing else', async () => {
    const [older, newer, last] = [tempFolder(), tempFolder(), tempFolder()]
    const storage = { use: 'postgres', url: (await places.postgres()).childArguments[0] }
    const bank = new Bank(release.observed.balances)
    try {
      await done(second, ['restore', '--from', release.backupFile], {
        dataDir: older.path,
        storage,
      })
      await servedBy(second, { dataDir: older.path, storage }, async (old) => {
        await bank.assertExact(old)
        await bank.pay(old, 'alice', 'grace', '2')
        await servedBy(third, { dataDir: newer.path, storage }, async (now) => {
          await bank.assertExact(now)
          await bank.pay(now, 'alice', 'grace', '0.5')
          await assertRefuses(old)
          await bank.pay(old, 'bob', 'carol', '0.1')
          await bank.assertExact(now)
          await bank.assertExact(old)
        })
      })
      const backup = join(last.path, 'backup')
      await done(second, ['backup', '--to', backup], { dataDir: older.path, storage })
      const target = { dataDir: last.path, storage: { use: 'sqlite' } }
      await done(third, ['restore', '--from', backup], target)
      await servedBy(third, target, async (client) => {
        await bank.assertExact(client)
        await bank.pay(client, 'bob', 'carol', '0.0000000007')
      })
    } finally {
      for (const folder of [older, newer, last]) folder.remove()
    }
  })
})

/** Everybody's holdings, kept beside the service. */
class Bank {
  readonly #held: Map<string, bigint>
  #payments = 0

  constructor(balances: Observed['balances']) {
    this.#held = new Map(
      Object.entries(balances).map(([party, { unlocked }]) => [party, units(unlocked)]),
    )
  }

  /** A payment that the receiver has approved before, and what both hold afterwards. */
  async pay(client: Client, from: string, to: string, amount: string): Promise<void> {
    this.#payments += 1
    await send(
      { ...client, kept: release.kept },
      { from, to, amount, id: `roll-over-${this.#payments}-${amount}` },
    )
    this.#add(partyOf(from), -units(amount))
    this.#add(partyOf(to), units(amount))
    await this.assertExact(client)
  }

  /** Bob takes the coin that was locked for him in the first version. */
  async accept(client: Client): Promise<void> {
    const [[instruction = '', payload] = []] = Object.entries(
      release.observed.contracts['CoinTransferInstruction'] ?? {},
    )
    await client.done('alice', `POST /v0/wallet/token-standard/transfers/${instruction}/accept`)
    this.#add(partyOf('alice'), units(textAt(payload, 'transfer', 'amount')))
    await this.assertExact(client)
  }

  /** Asserts balances by what is active, and by the totals that wallets show. */
  async assertExact(client: Client): Promise<void> {
    const held = balancesOf(await contractsOf(client))
    const found = Object.entries(held).map(
      ([party, { unlocked }]) => [party, units(unlocked)] as const,
    )
    assert.deepEqual(
      new Map(found.filter(([, amount]) => amount > 0n)),
      new Map([...this.#held].filter(([, amount]) => amount > 0n)),
    )
  }

  #add(party: string, amount: bigint): void {
    this.#held.set(party, (this.#held.get(party) ?? 0n) + amount)
  }
}

/**
 * Asserts that an old server refuses coins of a newer version on every way; nothing is half read.
 */
async function assertRefuses(old: Client): Promise<void> {
  const wallet = await old.ask('alice', 'GET /v0/wallet/coins')
  assert.deepEqual(
    [wallet.status, UNREADABLE.test(textAt(wallet.json, 'error'))],
    [503, true],
    wallet.text,
  )
  const body = {
    receiver_party_id: partyOf('grace'),
    amount: '1',
    deduplication_id: 'refused',
    description: '',
  }
  const payment = await old.ask('alice', 'POST /v0/wallet/transfer-preapproval/send', body)
  assert.deepEqual([payment.status, UNREADABLE.test(payment.text)], [503, true], payment.text)
  const written = await eventsOf(old, coinIn('0.5.0'))
  const coin = written.find((event) => at(event, 'createArgument', 'owner') === partyOf('alice'))
  const archive = {
    ExerciseCommand: {
      templateId: `#${COIN}`,
      contractId: textAt(coin, 'contractId'),
      choice: 'Archive',
      choiceArgument: {},
    },
  }
  const commands = {
    commands: [archive],
    commandId: 'refused',
    actAs: [partyOf('alice')],
    userId: 'alice',
  }
  const command = await old.ask('alice', 'POST /v2/commands/submit-and-wait', commands)
  assert.deepEqual(
    [command.status, at(command.json, 'code')],
    [503, 'CONTRACT_VERSION_UNKNOWN'],
    command.text,
  )
}

async function endOf(client: Client): Promise<number> {
  return Number(at(await client.done('auditor', 'GET /v2/state/ledger-end'), 'offset'))
}

async function contractsOf(client: Client): Promise<Observed['contracts']> {
  return activeContracts(client, await endOf(client))
}

/** How many contracts of each template there are, the coins apart. */
async function countOf(client: Client): Promise<number> {
  const { Coin: _coins, ...others } = await contractsOf(client)
  return Object.values(others).reduce((sum, byId) => sum + Object.keys(byId).length, 0)
}

/** Active contracts of a template, asked for by its name or by its id in a version. */
async function eventsOf(client: Client, templateId: string): Promise<readonly unknown[]> {
  const filter = { identifierFilter: { TemplateFilter: { value: { templateId } } } }
  const eventFormat = { filtersForAnyParty: { cumulative: [filter] } }
  const found = await client.done('auditor', 'POST /v2/state/active-contracts', {
    activeAtOffset: await endOf(client),
    eventFormat,
  })
  assert.ok(Array.isArray(found))
  return found.map((entry) => at(entry, 'contractEntry', 'JsActiveContract', 'createdEvent'))
}

const VERSIONS = ['0.3.0', '0.4.0', '0.5.0']

/** The coin's id in a version of its package. */
function coinIn(version: string): string {
  return `${createHash('sha256').update(`network-coin-${version}`).digest('hex')}:Network.Coin:Coin`
}

async function contractsWrittenWith(client: Client, version: string): Promise<readonly string[]> {
  return (await eventsOf(client, coinIn(version))).map((event) => textAt(event, 'contractId'))
}

/**
 * The versions that active coins were written with: an id finds its own, the name finds all of
 * them.
 */
async function coinVersions(client: Client): Promise<readonly string[]> {
  const all = (await eventsOf(client, `#${COIN}`)).map((event) => textAt(event, 'contractId'))
  const each = await Promise.all(VERSIONS.map((version) => contractsWrittenWith(client, version)))
  assert.deepEqual(each.flat().toSorted(), all.toSorted())
  return VERSIONS.filter((_version, index) => (each[index] ?? []).length > 0)
}

function partyOf(name: string): string {
  return idOf({ kept: release.kept }, name)
}

/** Coin x 10^10. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

type Data = Pick<Serving, 'dataDir' | 'storage'>

async function servedBy<T>(
  program: ProgramVersion,
  data: Data,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  return serving({ ...data, main: program.main }, async (client) => {
    await notBefore(client, release.madeAt)
    return use(client)
  })
}

async function command(
  program: ProgramVersion,
  args: readonly string[],
  { dataDir, storage }: Data,
): Promise<Ended> {
  const config = join(dataDir, 'command.json')
  await writeFile(config, JSON.stringify({ storage }))
  return run(program.main, [...args, '--config', config, '--data', dataDir], { cwd: dataDir })
}

async function done(program: ProgramVersion, args: readonly string[], data: Data): Promise<string> {
  const { code, stdout, stderr } = await command(program, args, data)
  assert.equal(code, 0, stdout + stderr)
  return stdout
}
