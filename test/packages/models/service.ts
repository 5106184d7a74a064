// The product in this process, with the public network's words, released archives and small ones of
// our own; what models act on over HTTP.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../../../runtime/cli/server.ts'
import { readSettings } from '../../../runtime/cli/settings.ts'
import { silentLog } from '../../../runtime/host/silent-log.ts'
import { createServices } from '../../../runtime/interfaces/index.ts'
import { OFF } from '../../authority/driver/node.ts'
import { list, path } from '../../interfaces/ledger-kit.ts'
import { dar } from '../../support/dar-writer.ts'
import { call } from '../../support/http.ts'
import type { Answer } from '../../support/http.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { archive, archiveSettings } from '../kit.ts'
import { released, wire } from '../released.ts'
import { notes, probes } from '../small.ts'

const ARCHIVES = [
  'test-token-v1-1.0.0',
  'token-test-trading-app-v2-1.0.0',
  'util-featured-app-proxies-1.2.4',
].map(released)

export interface ModelService {
  readonly dso: string
  /** The factory of the coin, and the context of its choices. */
  readonly factory: string
  readonly context: Readonly<Record<string, unknown>>
  readonly coinRules: string
  readonly openRound: string
  /** The network's contracts, as the events of their creation. */
  readonly contracts: readonly unknown[]
  /** Asks as a participant admin, or with a token. */
  ask(request: string, body?: unknown, token?: string): Promise<Answer>
  /** Asks like `ask`; fails unless it succeeds. */
  done(request: string, body?: unknown, token?: string): Promise<unknown>
  tokenOf(user: string): Promise<string>
  stop(): Promise<void>
}

/** Starts it, with everything uploaded. */
export async function startModels(storage: object): Promise<ModelService> {
  const folder = await tempDir()
  const config = join(folder.path, 'config.json')
  const sections = {
    storage,
    vocabulary: { preset: 'network-0.6' },
    server: { drainMs: 100 },
    network: { isDevNet: true, traffic: { baseBurstBytes: 1_000_000_000_000 } },
    ledger: { maxListElements: 1_000_000 },
    log: { level: 'silent' },
    automations: Object.fromEntries(OFF.map((name) => [name, false])),
  }
  await writeFile(config, JSON.stringify(sections))
  const read = await readSettings({ data: folder.path, config, empty: true, port: '0' })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const server = await startServer({
    config: read.config,
    log: silentLog,
    createServices,
    // What a model throws is thrown in this process, too.
    onFatal: () => undefined,
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await folder.remove()
  }
  try {
    const issue = server.host.issuer()
    assert.ok(issue !== undefined, 'tokens are issued here')
    return { ...(await prepared(`http://127.0.0.1:${server.port}`, issue)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Uploads everything, and looks up what commands name. */
async function prepared(
  url: string,
  issue: ModelService['tokenOf'],
): Promise<Omit<ModelService, 'stop'>> {
  const admin = await issue('participant_admin')
  const ask: ModelService['ask'] = (request, body, token = admin) =>
    call(url, request, { token, ...(body === undefined ? {} : { body }) })
  const done: ModelService['done'] = async (request, body, token) => {
    const answer = await ask(request, body, token)
    assert.equal(answer.status, 200, `${request}: ${answer.text}`)
    return answer.json
  }
  const attributes = { Format: String(archiveSettings().wireNames.darManifestFormat) }
  const own = [notes('1.0.0'), probes].map((main) => new Uint8Array(dar({ main, attributes })))
  for (const raw of [...ARCHIVES.map(archive), ...own]) {
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await call(url, 'POST /v2/packages', { token: admin, raw, headers })
    assert.equal(answer.status, 200, answer.text)
  }
  return {
    ...(await coinOf(done)),
    contracts: await contractsOf(done, issue),
    ask,
    done,
    tokenOf: issue,
  }
}

async function contractsOf(
  done: ModelService['done'],
  issue: ModelService['tokenOf'],
): Promise<readonly unknown[]> {
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }]
  await done('POST /v2/users', { user: { id: 'reader' }, rights })
  const { offset } = Object(await done('GET /v2/state/ledger-end'))
  const eventFormat = { filtersForAnyParty: {}, verbose: true }
  const request = 'POST /v2/state/active-contracts'
  const body = { activeAtOffset: offset, eventFormat }
  const found = list(await done(request, body, await issue('reader')))
  return found.map((each) => path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'))
}

/** Contracts that commands on the coin name. */
async function coinOf(
  done: ModelService['done'],
): Promise<Pick<ModelService, 'dso' | 'factory' | 'context' | 'coinRules' | 'openRound'>> {
  const dso = String(path(await done('GET /api/scan/v0/dso-party-id'), 'dso_party_id'))
  const request = 'POST /registry/transfer-instruction/v1/transfer-factory'
  const transfer = {
    sender: dso,
    receiver: dso,
    amount: '1',
    instrumentId: { admin: dso, id: wire('Coin') },
    requestedAt: '2020-01-01T00:00:00Z',
    executeBefore: '2090-01-01T00:00:00Z',
    inputHoldingCids: [],
    meta: { values: {} },
  }
  const extraArgs = { context: { values: {} }, meta: { values: {} } }
  const found = await done(request, {
    choiceArguments: { expectedAdmin: dso, transfer, extraArgs },
  })
  const context = Object(path(found, 'choiceContext', 'choiceContextData', 'values'))
  const [coinRules, openRound] = ['CoinRules', 'OpenMiningRound'].map((name) => {
    const contract = list(path(found, 'choiceContext', 'disclosedContracts')).find((each) =>
      String(path(each, 'templateId')).endsWith(`:${wire(name)}`),
    )
    return String(path(contract, 'contractId'))
  })
  return {
    dso,
    factory: String(path(found, 'factoryId')),
    context,
    coinRules: String(coinRules),
    openRound: String(openRound),
  }
}
