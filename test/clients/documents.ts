// What a server of the public documents has to take and to answer: every released archive, and
// requests to every operation of the documents, their own examples among them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { member } from '../../runtime/host/member.ts'
import { MAIN } from '../support/service.ts'
import { run, USER } from './localnet.ts'
import type { Localnet } from './localnet.ts'
import type { Row } from './table.ts'

/** One row: how many of the archives are accepted, in the order of their names. */
export async function* archives({ ask }: Localnet, shared: string): AsyncGenerator<Row> {
  const part = 'archives'
  const folder = join(shared, 'archives/dars')
  if (!existsSync(folder))
    return yield { part, name: 'uploads', verdict: 'skipped', note: `nothing in ${folder}` }
  const files = readdirSync(folder).toSorted()
  const refused: string[] = []
  for (const file of files) {
    const { status, text } = await ask('POST /v2/dars', {
      raw: new Uint8Array(readFileSync(join(folder, file))),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (status !== 200) refused.push(`${file}: ${text.slice(0, 120)}`)
  }
  const name = `uploads: ${files.length - refused.length} of ${files.length}`
  yield refused.length === 0
    ? { part, name, verdict: 'passes' }
    : { part, name, verdict: 'FAILS', note: refused.join('; ') }
}

/** Documents, and the prefix of their operations. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'ledger-api-3.5.1/openapi': '',
  'network-0.6.1/scan': '/api/scan',
  'network-0.6.1/scan-proxy': '/api/validator',
  'network-0.6.1/validator-internal': '/api/validator',
  'network-0.6.1/wallet-internal': '/api/validator',
  'network-0.6.1/wallet-external': '/api/validator',
  'network-0.6.1/ans-external': '/api/validator',
  'network-0.6.1/token-metadata-v1': '',
  'network-0.6.1/transfer-instruction-v1': '',
  'network-0.6.1/allocation-instruction-v1': '',
  'network-0.6.1/allocation-v1': '',
}

/**
 * What breaks a client. The documents leave out limits, 400, 415 and the body of refusals, so the
 * other checks tell of those.
 */
const BREAKING = [
  'not-a-server-error',
  'response-body',
  'response-headers',
  'created-is-there',
  'use-after-delete',
]
/** The last page of the first snapshots says null, as the public server does. */
const AS_THE_SERVER = /next_page_token/
const NOT_SERVED = /The requested resource could not be found/

/** A row for each document: what `conform` finds in answers of the user's node. */
export async function* documents(
  { folder, token }: Localnet,
  shared: string,
  { runs }: { readonly runs: string },
): AsyncGenerator<Row> {
  const part = 'documents'
  for (const [document, prefix] of Object.entries(DOCUMENTS)) {
    const file = join(shared, 'upstream', `${document}.yaml`)
    if (!existsSync(file)) {
      yield { part, name: document, verdict: 'skipped', note: `there is no ${file}` }
      continue
    }
    const report = join(folder, 'conform.json')
    const options = ['--runs', runs, '--extremes', runs, '--seed', '1', '--token', token]
    const spec = ['--spec', `${file}=${prefix}`, '--report', `json=${report}`]
    const { code, text } = await run(
      process.execPath,
      [MAIN, 'conform', '--url', USER, ...spec, ...options],
      { cwd: folder },
    )
    yield code === 0 || code === 4
      ? rowOf({ part, name: document }, JSON.parse(readFileSync(report, 'utf8')))
      : { part, name: document, verdict: 'FAILS', note: text.trim().slice(-200) }
  }
}

function rowOf(of: Pick<Row, 'name' | 'part'>, report: unknown): Row {
  const list = (name: string): readonly unknown[] => {
    const found = member(report, name)
    return Array.isArray(found) ? found : []
  }
  const violations = list('violations')
  const text = (one: unknown, name: string): string => String(member(one, name) ?? '')
  const absent = new Set(
    violations
      .filter((one) => NOT_SERVED.test(text(one, 'answer')))
      .map((one) => text(one, 'operationId')),
  )
  const breaking = violations.filter(
    (one) =>
      BREAKING.includes(text(one, 'check')) &&
      !absent.has(text(one, 'operationId')) &&
      !AS_THE_SERVER.test(text(one, 'sentence')),
  )
  const sums = [
    `${list('operations').length} operations, ${String(member(report, 'requests'))} requests`,
    ...(absent.size === 0 ? [] : [`${absent.size} not served (docs/differences.md)`]),
    ...breaking.map((one) => `${text(one, 'operationId')}: ${text(one, 'sentence')}`),
  ]
  return { ...of, verdict: breaking.length === 0 ? 'passes' : 'FAILS', note: sums.join('; ') }
}
