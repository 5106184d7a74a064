// `conform`: puts documents, generated code and the conformance runner together, and says what came
// of it. docs/decisions/0005-conformance.md
import { readFileSync, writeFileSync } from 'node:fs'
import { encodeRequest, parseExact, stringifyExact } from '../../generated/support.gen.ts'
import type { ClientOperation } from '../../generated/support.gen.ts'
import { printableLines } from '../host/printable.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import {
  NoAnswerError,
  jsonText,
  junitText,
  reportText,
  runConformance,
} from '../testing/conform.ts'
import type {
  ConformOptions,
  InterfaceFacts,
  OperationFacts,
  ReportContext,
  RequestCase,
  WireRequest,
  WireTools,
} from '../testing/conform.ts'
import type { ConformFlags } from './conform-flags.ts'
import { loadDocuments } from './conform-documents.ts'
import { EXIT } from './outcome.ts'

const SEEDS = 2 ** 31

/**
 * Runs it. Exit codes: 0 no violation, 1 the server cannot be reached, 2 usage or a wrong document,
 * 4 violations.
 */
export async function conform(flags: ConformFlags): Promise<void> {
  const url = readUrl(flags.url)
  const reports = (flags.report ?? []).map(readReport)
  const options = { ...readOptions(flags), url }
  const { spec: specs, cache, overlay: overlays, vocabulary } = flags
  const load = {
    ...(overlays === undefined ? {} : { overlays }),
    ...(vocabulary === undefined ? {} : { vocabulary }),
  }
  const interfaces = await loadDocuments({ specs, cache, load })
  refuseUnknown(interfaces, flags)
  const report = await runConformance({ ...options, interfaces, tools: WIRE_TOOLS }).catch(
    (error: unknown) => {
      throw error instanceof NoAnswerError
        ? new CommandError(`${flags.url} cannot be reached: ${error.message}`)
        : error
    },
  )
  const context = reportContext(flags, url, options.token)
  for (const { kind, file } of reports)
    writeFileSync(file, kind === 'junit' ? junitText(report, context) : jsonText(report, context))
  process.stdout.write(printableLines(reportText(report, context)))
  if (report.violations.length > 0) process.exitCode = EXIT.conformance
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    throw new CommandError(`--url must be an http address, not "${text}"`, EXIT.usage)
  return url
}

function readReport(text: string): { readonly kind: 'junit' | 'json'; readonly file: string } {
  const [, kind, file] = /^(junit|json)=(.+)$/u.exec(text) ?? []
  if (file === undefined || (kind !== 'junit' && kind !== 'json')) {
    throw new CommandError(`--report must be junit=FILE or json=FILE, not "${text}"`, EXIT.usage)
  }
  return { kind, file }
}

type GivenOptions = Omit<ConformOptions, 'interfaces' | 'tools' | 'url'>

function readOptions(flags: ConformFlags): GivenOptions {
  const token = readToken(flags)
  const limit = optionalNumber('--seconds', flags.seconds)
  const maxResponseMs = optionalNumber('--max-response-ms', flags.maxResponseMs)
  return {
    seed: optionalNumber('--seed', flags.seed) ?? Math.floor(Math.random() * SEEDS),
    runs: wholeNumber('--runs', flags.runs),
    extremes: wholeNumber('--extremes', flags.extremes),
    parallel: Math.max(1, wholeNumber('--parallel', flags.parallel)),
    headers: (flags.header ?? []).map(readHeader),
    allow: new Set((flags.allow ?? []).map(readAllowed)),
    timeoutMs: wholeNumber('--timeout-ms', flags.timeoutMs),
    isReadOnly: flags.readOnly === true,
    isEnough: () => flags.failFast === true,
    ...(token === undefined ? {} : { token }),
    ...(maxResponseMs === undefined ? {} : { maxResponseMs }),
    ...(limit === undefined ? {} : { limitMs: limit * 1_000 }),
    ...(flags.only === undefined ? {} : { only: new Set(flags.only) }),
    ...(flags.skip === undefined ? {} : { skip: new Set(flags.skip) }),
  }
}

function optionalNumber(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/u.test(text))
    throw new CommandError(`${name} must be a whole number, not "${text}"`, EXIT.usage)
  return Number(text)
}

function readToken({ token, tokenFile }: ConformFlags): string | undefined {
  if (tokenFile === undefined) return token
  if (token !== undefined)
    throw new CommandError('--token and --token-file are one too many', EXIT.usage)
  try {
    return readFileSync(tokenFile, 'utf8').trim()
  } catch (error) {
    throw new CommandError(`--token-file: ${messageOf(error)}`, EXIT.usage)
  }
}

function readHeader(line: string): readonly [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/u.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new CommandError(`--header must be 'Name: value', not "${line}"`, EXIT.usage)
  return [name, value]
}

function readAllowed(text: string): string {
  if (!/^.+:\d{3}$/u.test(text))
    throw new CommandError(`--allow must be OPERATION:STATUS, not "${text}"`, EXIT.usage)
  return text
}

function refuseUnknown(
  interfaces: readonly InterfaceFacts[],
  { only = [], skip = [], allow = [] }: ConformFlags,
): void {
  const known = new Set(
    interfaces.flatMap(({ operations }) => operations.map(({ operationId }) => operationId)),
  )
  const named = [...only, ...skip, ...allow.map((text) => text.replace(/:\d+$/u, ''))]
  const unknown = named.find((operationId) => !known.has(operationId))
  if (unknown !== undefined)
    throw new CommandError(`no document has an operation ${unknown}`, EXIT.usage)
}

function reportContext(flags: ConformFlags, url: URL, token: string | undefined): ReportContext {
  const given = [
    `--url ${quote(flags.url)}`,
    ...(flags.spec ?? []).map((spec) => `--spec ${quote(spec)}`),
    ...(flags.tokenFile !== undefined
      ? [`--token-file ${quote(flags.tokenFile)}`]
      : token !== undefined
        ? [`--token ${quote(token)}`]
        : []),
    ...(flags.header ?? []).map((line) => `--header ${quote(line)}`),
    ...(flags.readOnly === true ? ['--read-only'] : []),
    ...(flags.maxResponseMs === undefined ? [] : [`--max-response-ms ${flags.maxResponseMs}`]),
  ]
  return {
    origin: url.origin,
    ...(token === undefined || flags.tokenFile === undefined
      ? {}
      : { secret: { text: token, shell: `$(cat ${quote(flags.tokenFile)})` } }),
    replay: ({ operationId, seed }) =>
      `ledgerwright conform ${given.join(' ')} --seed ${seed} --runs ${flags.runs} --extremes ${flags.extremes} --only ${quote(operationId)}`,
  }
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const NOWHERE = 'http://nowhere'

/** The means of printed clients. */
export const WIRE_TOOLS: WireTools = { encode, parse: parseExact, stringify: stringifyExact }

async function encode(operation: OperationFacts, request: RequestCase): Promise<WireRequest> {
  refuseEmptySegments(request)
  const { body, ...places } = request
  const bytes =
    body?.raw !== undefined
      ? Buffer.from(body.raw)
      : body?.value instanceof Uint8Array
        ? body.value
        : undefined
  const input =
    body === undefined || bytes !== undefined
      ? places
      : { ...places, body: body.value, mediaType: body.mediaType }
  const {
    url,
    headers,
    body: encoded,
  } = encodeRequest({ baseUrl: NOWHERE }, clientOperation(operation), input)
  const written =
    bytes === undefined && encoded !== undefined
      ? await bytesOf(encoded)
      : { bytes, mediaType: body?.mediaType }
  if (
    written.bytes !== undefined &&
    written.mediaType !== undefined &&
    !headers.has('content-type')
  ) {
    headers.set('content-type', written.mediaType)
  }
  return {
    method: operation.method,
    target: url.slice(NOWHERE.length),
    headers: [...headers],
    ...(written.bytes === undefined ? {} : { body: written.bytes }),
  }
}

async function bytesOf(
  body: NonNullable<RequestInit['body']>,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType?: string }> {
  if (typeof body === 'string') return { bytes: Buffer.from(body) }
  const response = new Response(body)
  const mediaType = response.headers.get('content-type')
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    ...(mediaType === null ? {} : { mediaType }),
  }
}

/** Refuses empty segments, which name another path. */
function refuseEmptySegments({ path }: RequestCase): void {
  for (const value of Object.values(path)) {
    if (value === '' || value === '.' || value === '..')
      throw new RangeError('this value is not valid in a path')
  }
}

function clientOperation({
  operationId,
  method,
  path,
  parameters,
  body,
}: OperationFacts): ClientOperation {
  return { operationId, method, path, parameters, body: body?.media ?? [], responses: [] }
}
