// Clients of the public documents of the network, generated into a temporary folder, and a service
// under those documents' names. Tests name paths and members in our words; what stands in the
// documents is never written here.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadInterface } from '../../codegen/index.ts'
import type { LoadedInterface, OperationIr } from '../../codegen/index.ts'
import { printClient } from '../../codegen/emit/client.ts'
import { emitContext } from '../../codegen/emit/context.ts'
import { emitShared } from '../../codegen/emit/interface.ts'
import { printRoutes } from '../../codegen/emit/routes.ts'
import { printValidators } from '../../codegen/emit/validators.ts'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { renamePath } from '../../codegen/vocabulary/rename.ts'
import { renamer } from '../../codegen/vocabulary/words.ts'
import type { NamePlace } from '../../codegen/vocabulary/words.ts'
import { parseExact } from '../../generated/support.gen.ts'
import { member } from '../../runtime/host/member.ts'
import type { Issue, WireOperation } from '../../runtime/http/wire.ts'
import { call } from '../support/http.ts'
import { ROOT } from '../support/service.ts'

const SHARED = resolve(ROOT, '../shared')
const UPSTREAM = join(SHARED, 'upstream')
export const PRESET = 'network-0.6'

/** The reason why there is nothing to test against; false if there is. */
export const missing = existsSync(UPSTREAM) ? false : `no public documents at ${SHARED}`

/** Documents whose operations are served, and the prefix that their servers have. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'network-0.6.1/wallet-external': '/api/validator',
  'network-0.6.1/wallet-internal': '/api/validator',
  'network-0.6.1/validator-internal': '/api/validator',
  'network-0.6.1/scan-proxy': '/api/validator',
  'network-0.6.1/ans-external': '/api/validator',
  'network-0.6.1/scan': '/api/scan',
  'ledger-api-3.5.1/openapi': '',
}

/** Prefixes of our own interfaces that the documents describe. */
const OWN = { validator: '/api/validator', scan: '/api/scan', ledger: '' } as const

interface UpstreamOperation {
  readonly document: string
  readonly mount: string
  readonly operation: OperationIr
  readonly wire: WireOperation
  readonly client: (options: object) => unknown
}

/** An answer that is not what the document of the client declares. */
export interface Fault {
  readonly document: string
  /** The line in our words. */
  readonly line: string
  readonly status: number
  /** The fault, without values. */
  readonly what: string
}

export interface Asking {
  readonly token?: string | undefined
  /** Segments in the order of the path. */
  readonly path?: readonly string[]
  readonly query?: object
  readonly body?: unknown
}

export interface Upstream {
  /** Numbers of operations: of the documents, and those that the service has. */
  readonly counts: { readonly all: number; readonly served: number }
  readonly called: ReadonlySet<string>
  readonly faults: readonly Fault[]
  /** A name in the documents' words. */
  wire(name: string): string
  /** The name of `wire` by its place. */
  named(place: NamePlace, name: string): string
  /** The format in an archive's manifest. */
  readonly manifestFormat: string
  /**
   * Calls an operation, by method and path in our words, by the client of every document that has
   * it; only once where it changes something. The answer's status and JSON.
   */
  ask(
    url: string,
    line: string,
    asking?: Asking,
  ): Promise<RawAnswer & { readonly json: unknown }>
  /** Operations that the service has and nobody called. */
  uncalled(): readonly string[]
  release(): void
}

const SHAPE = /\{[^{}]+\}/gu

/** Generates the clients and says what the service has of their operations. */
export async function upstreamClients(): Promise<Upstream> {
  const folder = mkdtempSync(join(tmpdir(), 'vocabulary-'))
  const preset = join(ROOT, `spec/presets/${PRESET}.yaml`)
  const { vocabulary, findings } = loadVocabulary(preset)
  const [, manifestFormat = ''] =
    /darManifestFormat: (\S+)/u.exec(readFileSync(preset, 'utf8')) ?? []
  assert.deepEqual(findings, [])
  const loaded = Object.entries(DOCUMENTS).map(([file, mount]) => ({
    name: basename(file),
    mount,
    loaded: loadInterface(join(UPSTREAM, `${file}.yaml`)),
  }))
  writeFiles(
    folder,
    loaded.map((one) => clientFiles(one.loaded)),
  )
  const operations = new Map<string, UpstreamOperation[]>()
  for (const {
    name,
    mount,
    loaded: { ir },
  } of loaded) {
    const [routes, client] = await Promise.all(
      ['routes', 'client'].map((part) => importFile(join(folder, ir.name, `${part}.gen.ts`))),
    )
    for (const operation of ir.operations) {
      const key = keyOf(operation.method, mount + operation.path)
      const one = {
        document: name,
        mount,
        operation,
        wire: wireOf(routes, operation),
        client: creatorOf(client),
      }
      operations.set(key, [...(operations.get(key) ?? []), one])
    }
  }
  const paths = { path: renamer(vocabulary, 'path'), parameter: renamer(vocabulary, 'parameter') }
  const lines = new Map(ownOperations().map((line) => [keyOfLine(renamePath(line, paths)), line]))
  const served = [...operations.keys()].filter((key) => lines.has(key))
  const called = new Set<string>()
  const faults: Fault[] = []
  return {
    counts: { all: operations.size, served: served.length },
    called,
    faults,
    wire: renamer(vocabulary, 'property'),
    manifestFormat,
    named: (place, name) =>
      vocabulary.names.find((one) => one.place === place && one.neutral === name)?.wire ??
      renamer(vocabulary, place)(name),
    uncalled: () => served.filter((key) => !called.has(key)).map((key) => lines.get(key) ?? key),
    release: () => {
      rmSync(folder, { recursive: true, force: true })
    },
    ask: async (url, line, asking = {}) => {
      const key = keyOfLine(renamePath(line, paths))
      const known = operations.get(key) ?? assert.fail(`no document has ${line}`)
      called.add(key)
      const [first] = known
      assert.ok(first)
      const answer = await callBy(first, url, asking)
      for (const one of known) {
        faults.push(
          ...faultsOf(one, answer).map((what) => ({
            document: one.document,
            line,
            status: answer.status,
            what,
          })),
        )
      }
      return {
        ...answer,
        json: answer.type.startsWith('application/json') ? JSON.parse(answer.text) : undefined,
      }
    },
  }
}

/** Files that a client runs on and answers are checked against; types are not needed to run. */
function clientFiles({ ir }: LoadedInterface): ReadonlyMap<string, string> {
  const context = emitContext(ir)
  const [routes, client] = [printRoutes(context), printClient(context)]
  const scripts = [
    ['routes', routes],
    ['client', client],
    ['validators', printValidators(ir, context.roots)],
  ] as const
  return new Map(scripts.map(([part, text]) => [`${ir.name}/${part}.gen.ts`, text]))
}

function writeFiles(folder: string, all: readonly ReadonlyMap<string, string>[]): void {
  for (const [file, text] of [
    ['package.json', '{"type":"module"}'] as const,
    ...emitShared(),
    ...all.flatMap((files) => [...files]),
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

async function importFile(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href)
}

/** `METHOD path` of every operation of ours that a document may have, in our words. */
function ownOperations(): readonly string[] {
  return Object.entries(OWN).flatMap(([name, mount]) => {
    const { ir }: LoadedInterface = loadInterface(join(ROOT, `spec/${name}.yaml`))
    return ir.operations.map(({ method, path }) => `${method} ${mount}${path}`)
  })
}

function keyOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(SHAPE, '{}')}`
}

function keyOfLine(line: string): string {
  const [method = '', path = ''] = line.split(' ')
  return keyOf(method, path)
}

function wireOf(routes: unknown, { operationId }: OperationIr): WireOperation {
  const operations = member(member(routes, 'wire'), 'operations')
  assert.ok(Array.isArray(operations))
  const found: unknown = operations.find(
    (one: unknown) => member(one, 'operationId') === operationId,
  )
  assert.ok(isWireOperation(found), operationId)
  return found
}

function isWireOperation(value: unknown): value is WireOperation {
  return (
    Array.isArray(member(value, 'responses')) && typeof member(value, 'parameters') === 'function'
  )
}

function creatorOf(client: unknown): (options: object) => unknown {
  const create = member(client, 'createClient')
  assert.ok(typeof create === 'function')
  return (options) => {
    const made: unknown = create(options)
    return made
  }
}

interface RawAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function callBy(
  { mount, operation, client }: UpstreamOperation,
  url: string,
  asking: Asking,
): Promise<RawAnswer> {
  // No client that fetches can send it.
  if (operation.method === 'GET' && asking.body !== undefined)
    return call(url, `GET ${mount}${operation.path}`, {
      body: asking.body,
      ...(asking.token === undefined ? {} : { token: asking.token }),
    })
  const heard: RawAnswer[] = []
  const listening: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    const text = await answer.clone().text()
    heard.push({ status: answer.status, type: answer.headers.get('content-type') ?? '', text })
    return answer
  }
  const made = client({
    baseUrl: url + mount,
    fetch: listening,
    ...(asking.token === undefined ? {} : { token: asking.token }),
  })
  const method = member(made, operation.operationId)
  assert.ok(typeof method === 'function')
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const path = Object.fromEntries(names.map((name, index) => [name, asking.path?.[index] ?? '']))
  const { query, body } = asking
  await settled(
    method({
      path,
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
    }),
  )
  return heard[0] ?? assert.fail(`${operation.operationId} was not sent`)
}

/** Clients reject for what is not declared; that is reported from the answer itself. */
async function settled(call: unknown): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'UndeclaredAnswerError') throw error
  }
}

function faultsOf(
  { wire }: UpstreamOperation,
  { status, type, text }: RawAnswer,
): readonly string[] {
  const exact = String(status)
  const declared =
    wire.responses.find((one) => one.status === exact) ??
    wire.responses.find((one) => one.status === `${exact.charAt(0)}XX`) ??
    wire.responses.find((one) => one.status === 'default')
  if (declared === undefined) return ['the status is not declared']
  const media = declared.media.find(({ mediaType }) => type.startsWith(mediaType))
  if (media === undefined)
    return declared.media.length === 0 && text === '' ? [] : [`the type '${type}' is not declared`]
  if (!type.startsWith('application/json')) return []
  const issues: Issue[] = []
  media.check?.(parseExact(text), issues)
  return issues.map(
    ({ pointer, keyword }) => `${pointer.replaceAll(/\/\d+(?=\/|$)/gu, '/*')} ${keyword}`,
  )
}
