// Servers made of nothing but documents: generated in this process, every operation answered at
// random, each interface under its own prefix of one application; and the conformance run against
// them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { formatFinding, generate, loadInterface } from '../../codegen/index.ts'
import type { InterfaceConfig, LoadedInterface } from '../../codegen/index.ts'
import { loadDocuments } from '../../runtime/cli/conform-documents.ts'
import {
  createHttpApp,
  documentedPresenter,
  mountInterface,
  type AccessGuard,
  type Credentials,
  type Handler,
  type InterfaceMount,
  type WireInput,
  type WireInterface,
  type WireOperation,
  type WireReply,
} from '../../runtime/http/index.ts'
import type { Logger } from '../../runtime/host/log.ts'
import { member } from '../../runtime/host/member.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { exampleHandlers } from '../../runtime/testing/examples.ts'
import type { ReplySource } from '../../runtime/testing/examples.ts'
import type {
  ConformOptions,
  ConformReport,
  InterfaceFacts,
} from '../../runtime/testing/conform.ts'
import { conform, shown } from '../conformance/kit.ts'
import { readTwice } from './second-reader.ts'

/** The token that a caller shows if a document demands one. */
export const TOKEN = 'example-token-that-is-long-enough'

export interface ServedInterface {
  readonly name: string
  readonly config: InterfaceConfig
  /** Its mount on the server: `/name`. */
  readonly mount: string
  readonly wire: WireInterface
  readonly loaded: LoadedInterface
}

export interface Call {
  readonly input: WireInput
  readonly reply: WireReply
}

export interface ExampleServer extends AsyncDisposable {
  readonly url: string
  readonly interfaces: readonly ServedInterface[]
  /** The output folder of `generate`. */
  readonly out: string
  /** Input and answer of each operation's last call, by `interface operation`. */
  readonly calls: ReadonlyMap<string, Call>
  /** Reasons why requests failed on the server, for readers of a failed test. */
  readonly failures: readonly string[]
}

export interface ExampleServerOptions {
  /**
   * Output folder of an earlier `generate` of the same documents; they are generated into a
   * temporary one if absent.
   */
  readonly out?: string
  readonly seed?: number
  /** The same answers each time. */
  readonly fixed?: boolean
  /** Hand-written ones, by interface and operation. */
  readonly handlers?: Readonly<Record<string, Readonly<Record<string, Handler<string>>>>>
}

type Arbitraries = (fastCheck: typeof fc) => {
  readonly operations: Readonly<Record<string, ReplySource>>
}

/**
 * Serves documents with random example answers, on a free port of this machine. Rejects with the
 * findings where a document is wrong.
 *
 * @example
 *   await using server = await serveExamples([
 *     { spec: 'test/codegen/golden/multipart/document.yaml', name: 'multipart' },
 *   ])
 *   for (const { text } of await conformExamples(server, { runs: 3 })) assert.equal(text, '')
 */
export async function serveExamples(
  documents: readonly (string | InterfaceConfig)[],
  options: ExampleServerOptions = {},
): Promise<ExampleServer> {
  const configs = documents.map((one) => (typeof one === 'string' ? { spec: one } : one))
  if (options.out !== undefined) return serveOutput(options.out, configs, options, () => undefined)
  const folder = temporaryFolder()
  const tidy = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const out = join(folder, 'generated')
    await generateInto(out, configs)
    return await serveOutput(out, configs, options, tidy)
  } catch (error) {
    tidy()
    throw error
  }
}

async function serveOutput(
  out: string,
  configs: readonly InterfaceConfig[],
  options: ExampleServerOptions,
  tidy: () => void,
): Promise<ExampleServer> {
  const calls = new Map<string, Call>()
  const served = await Promise.all(configs.map((config) => mountOf(out, config, options, calls)))
  const clock = { nowMicros: () => BigInt(Date.now()) * 1_000n }
  const failures: string[] = []
  const interfaces = served.map(({ mount }) => mount)
  const http = createHttpApp<string>({
    interfaces,
    log: keepingErrors(failures),
    clock,
    responseCheck: 'throw',
  })
  const { port } = await http.listen(0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    out,
    calls,
    failures,
    interfaces: served.map((one) => one.served),
    [Symbol.asyncDispose]: async () => {
      await http.drain(0)
      tidy()
    },
  }
}

interface Served {
  readonly served: ServedInterface
  readonly mount: InterfaceMount<string>
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'example-server-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

async function generateInto(out: string, interfaces: readonly InterfaceConfig[]): Promise<void> {
  const { status, findings } = await generate({ config: { interfaces, out } })
  if (status === 'invalid' || status === 'refused')
    throw new Error(`${status}\n${findings.map(formatFinding).join('\n')}`)
}

async function mountOf(
  out: string,
  config: InterfaceConfig,
  { seed = 1, fixed = false, handlers }: ExampleServerOptions,
  calls: Map<string, Call>,
): Promise<Served> {
  const { spec, ...options } = config
  const loaded = loadInterface(spec, options)
  const { ir, document } = loaded
  const load = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
    return await import(pathToFileURL(join(out, ir.name, `${file}.gen.ts`)).href)
  }
  const [{ wire }, { arbitraries }] = [await load('routes'), await load('arbitraries')]
  if (!isWire(wire) || !isArbitraries(arbitraries)) throw new Error(`${ir.name} was not generated`)
  const mount = `/${ir.name}`
  const placed = { ...wire, mount }
  const own = handlers?.[ir.name] ?? {}
  const examples = exampleHandlers<string, typeof own>({
    wire: placed,
    arbitraries: arbitraries(fc),
    handlers: own,
    seed,
    random: !fixed,
  })
  const all = watched(ir.name, examples, calls)
  return {
    served: { name: ir.name, config, mount, wire: placed, loaded },
    mount: mountInterface<string, typeof all>({
      wire: placed,
      handlers: all,
      guard: tokenGuard(ir.securitySchemes),
      presenter: documentedPresenter(document),
    }),
  }
}

/** The handlers, with their last calls noted. */
function watched(
  name: string,
  handlers: Readonly<Record<string, Handler<string>>>,
  calls: Map<string, Call>,
): Readonly<Record<string, Handler<string>>> {
  return Object.fromEntries(
    Object.entries(handlers).map(([operationId, handler]): [string, Handler<string>] => {
      return [
        operationId,
        async (input, context) => {
          const reply = await handler(input, context)
          calls.set(`${name} ${operationId}`, { input: { ...input }, reply })
          return reply
        },
      ]
    }),
  )
}

function isWire(value: unknown): value is WireInterface {
  return typeof value === 'object' && value !== null && 'operations' in value
}

function isArbitraries(value: unknown): value is Arbitraries {
  return typeof value === 'function'
}

/** Lets in who shows the token as the document's schemes want it. */
function tokenGuard(schemes: Readonly<Record<string, unknown>>): AccessGuard<string> {
  const isProven = (credentials: Credentials, { security }: WireOperation): boolean =>
    security.some((needed) => {
      const names = Object.keys(needed)
      return (
        names.length > 0 && names.every((name) => shownToken(credentials, schemes[name]) === TOKEN)
      )
    })
  return {
    authenticate: (credentials, operation) =>
      isProven(credentials, operation)
        ? { kind: 'principal', principal: 'caller' }
        : { kind: 'anonymous', reason: 'the token was not shown' },
    authorize: () => ({ allowed: true }),
    needsPrincipal: ({ security }) =>
      security.length > 0 && security.every((needed) => Object.keys(needed).length > 0),
  }
}

function shownToken(
  { authorization = '', headers = {}, url = '' }: Credentials,
  scheme: unknown,
): string | undefined {
  const [kind, text] = /^(\S+) +(.+)$/u.exec(authorization)?.slice(1) ?? []
  const name = String(member(scheme, 'name'))
  if (member(scheme, 'type') !== 'apiKey') {
    const isBasic = String(member(scheme, 'scheme')).toLowerCase() === 'basic'
    if (kind?.toLowerCase() !== (isBasic ? 'basic' : 'bearer')) return undefined
    return isBasic
      ? Buffer.from(text ?? '', 'base64')
          .toString()
          .split(':')[0]
      : text
  }
  if (member(scheme, 'in') === 'header') return String(headers[name.toLowerCase()])
  if (member(scheme, 'in') === 'query')
    return new URLSearchParams(url.split('?')[1]).get(name) ?? undefined
  return (headers.cookie ?? '')
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function keepingErrors(lines: string[]): Logger {
  const error = (fields: object, message: string): void => {
    lines.push(
      `${message} ${Object.entries(fields)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(' ')}`,
    )
  }
  return {
    ...silentLog,
    error,
    child: (bound) => ({
      ...silentLog,
      error: (fields, message) => {
        error({ ...bound, ...fields }, message)
      },
    }),
  }
}

const SHOWN = 10

/** The report of one interface's run. */
export interface InterfaceReport {
  readonly name: string
  readonly report: ConformReport
  /**
   * For a failed test: what was found, and why the server failed where it did; empty where nothing
   * was found.
   */
  readonly text: string
  /** Bodies that Ajv judges differently from the generated checks; empty unless `isReadTwice`. */
  readonly differences: readonly string[]
  /** Places of which Ajv could tell nothing. */
  readonly unread: readonly string[]
}

export interface ConformExamplesOptions extends ConformPart {
  /** Lets Ajv judge every body beside the generated checks. */
  readonly isReadTwice?: boolean
}

type ConformPart = Partial<
  Pick<ConformOptions, 'runs' | 'extremes' | 'seed' | 'parallel' | 'only' | 'skip' | 'allow'>
>

/**
 * Holds the server to its documents, one after the other. A small run: 3 at random and 8 extremes
 * if nothing else is said.
 */
export async function conformExamples(
  server: ExampleServer,
  options: ConformExamplesOptions = {},
): Promise<readonly InterfaceReport[]> {
  const sources = server.interfaces.map(({ config, mount, loaded }) => ({
    file: config.spec,
    mount,
    loaded,
  }))
  const { isReadTwice = false, ...run } = options
  const reports: InterfaceReport[] = []
  const all = await loadDocuments({ specs: sources, cache: undefined })
  for (const [index, facts] of all.entries()) {
    const loaded = server.interfaces[index]?.loaded
    const twice = isReadTwice && loaded !== undefined ? readTwice(facts, loaded) : undefined
    const report = await conformOne(server, twice?.facts ?? facts, run)
    reports.push({
      ...report,
      differences: [...(twice?.differences ?? [])].map(([place, text]) => `${place}: ${text}`),
      unread: [...(twice?.unread ?? [])],
    })
  }
  return reports
}

async function conformOne(
  server: ExampleServer,
  facts: InterfaceFacts,
  options: ConformPart,
): Promise<Omit<InterfaceReport, 'differences' | 'unread'>> {
  const before = server.failures.length
  const report = await conform([facts], server.url, {
    token: TOKEN,
    seed: 1,
    runs: 3,
    extremes: 8,
    parallel: 4,
    ...options,
  })
  const found = shown(report, server.url)
    .split('\n')
    .filter((line) => !/^[✓-] /u.test(line))
  const text =
    report.violations.length === 0
      ? ''
      : [facts.name, ...found, ...server.failures.slice(before, before + SHOWN)].join('\n')
  return { name: facts.name, report, text }
}
