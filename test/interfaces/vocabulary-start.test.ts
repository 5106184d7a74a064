// What the start makes of a configured vocabulary: interfaces under its names from the same
// handlers, kept for the next start; and what it refuses.
import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { defaultPlugins } from '../../runtime/cli/built-in.ts'
import { loadConfiguration } from '../../runtime/host/config/configuration.ts'
import type { Configuration } from '../../runtime/host/config/configuration.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { member } from '../../runtime/host/member.ts'
import { formatProblem } from '../../runtime/host/problem.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { createHttpApp } from '../../runtime/http/index.ts'
import type { HttpApp } from '../../runtime/http/index.ts'
import { openVocabulary, vocabularyProblems } from '../../runtime/cli/vocabulary.ts'
import { startNetwork } from '../network/kit.ts'
import type { Network } from '../network/kit.ts'
import { call } from '../support/http.ts'

const WORDS = `words:
  - { neutral: coin, wire: pebble }
  - { neutral: Network, wire: Meadow, where: module names }
`

describe('a service under a vocabulary', () => {
  let folder: string
  let network: Network
  let app: HttpApp
  let url: string

  const configured = async (vocabulary: object): Promise<Configuration> => {
    writeFileSync(join(folder, 'ledgerwright.config.json'), JSON.stringify({ vocabulary }))
    const read = await loadConfiguration({ folder, env: {}, flags: [], plugins: defaultPlugins })
    assert.ok(read.ok)
    return read.config
  }
  const start = async (file: string, ...interfaces: readonly string[]) => {
    const vocabulary = { file, interfaces: [...interfaces] }
    const made = await openVocabulary(await configured(vocabulary), vocabulary)
    return made.serve(network.services.interfaces)
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vocabulary-start-'))
    writeFileSync(join(folder, 'words.yaml'), WORDS)
    network = await startNetwork()
    const { interfaces } = await start('words.yaml', 'scan')
    app = createHttpApp({ interfaces, log: silentLog, clock: systemClock, responseCheck: 'throw' })
    url = `http://127.0.0.1:${(await app.listen(0, '127.0.0.1')).port}`
  })
  after(async () => {
    await app.drain(1_000)
    await network.services.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('paths, members and payloads have the names of the word map; the names of the document are not served', async () => {
    const answer = await call(url, 'POST /api/scan/v0/pebble-rules', { body: {} })
    assert.equal(answer.status, 200, answer.text)
    const contract = member(member(answer.json, 'pebble_rules_update'), 'contract')
    assert.match(String(member(contract, 'template_id')), /:Meadow\.PebbleRules:PebbleRules$/)
    assert.match(answer.text, /"pebbleToIssuePerYear"/)
    const body = {
      cached_pebble_rules_contract_id: member(contract, 'contract_id'),
      cached_pebble_rules_domain_id: 'x',
    }
    const cached = await call(url, 'POST /api/scan/v0/pebble-rules', { body })
    assert.equal(member(member(cached.json, 'pebble_rules_update'), 'contract'), undefined)
    assert.equal((await call(url, 'POST /api/scan/v0/coin-rules', { body: {} })).status, 404)
  })

  test("faults of a request are reported in the caller's words", async () => {
    const answer = await call(url, 'POST /api/scan/v0/pebble-rules', {
      body: { cached_pebble_rules_contract_id: 5 },
    })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /cached_pebble_rules_contract_id/)
    const ours = await call(url, 'POST /api/scan/v0/pebble-rules', {
      body: { cached_coin_rules_contract_id: 5 },
    })
    assert.equal(ours.status, 200, 'a member that nobody knows is ignored')
  })

  test('interfaces that are not named stay as they are', async () => {
    assert.equal((await call(url, 'GET /api/validator/v0/wallet/coins')).status, 401)
  })

  test('what was made is found by the next start, and its document is the renamed one', async () => {
    const made = readdirSync(join(folder, 'data/vocabulary'))
    const { documents } = await start('words.yaml', 'scan')
    assert.deepEqual(readdirSync(join(folder, 'data/vocabulary')), made)
    const document: unknown = JSON.parse(readFileSync(documents.get('scan') ?? '', 'utf8'))
    assert.ok(member(member(document, 'paths'), '/v0/pebble-rules'))
  })

  test('what others could have written is made again before it is run', async () => {
    const [key = ''] = readdirSync(join(folder, 'data/vocabulary'))
    const made = join(folder, 'data/vocabulary', key)
    const routes = join(made, 'scan/routes.gen.ts')
    writeFileSync(routes, 'throw new Error("not ours")')
    chmodSync(made, 0o777)
    await start('words.yaml', 'scan')
    assert.equal(lstatSync(made).mode & 0o777, 0o700)
    assert.doesNotMatch(readFileSync(routes, 'utf8'), /not ours/)
  })

  test('what cannot be served is refused in one line', async () => {
    const refused = async (file: string, name: string, message: RegExp) => {
      const problems = await vocabularyProblems(await configured({ file, interfaces: [name] }))
      assert.equal(problems.length, 1)
      assert.match(problems.map(formatProblem).join(), message)
    }
    await refused('none.yaml', 'scan', /vocabulary\.file: there is no .*none\.yaml/)
    await refused(
      'words.yaml',
      'scann',
      /vocabulary\.interfaces\[0\]: 'scann' cannot be renamed: ledger, validator, scan, registry can/,
    )
    writeFileSync(join(folder, 'clash.yaml'), 'words: [{ neutral: coin, wire: ans }]\n')
    await refused(
      'clash.yaml',
      'scan',
      /scan\.yaml:\d+:\d+: error: .* are both '.*ans-rules' in the vocabulary/,
    )
    writeFileSync(join(folder, 'bad.yaml'), 'words: [{ neutral: coin }]\n')
    await refused('bad.yaml', 'scan', /bad\.yaml:1:9: error: 'wire' must be one word/)
  })
})
