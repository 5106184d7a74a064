// What a conformance run knows of documents: loads them, makes routes and arbitraries of them, and
// hands these over as data.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import {
  emitForConformance,
  fieldEncodings,
  formatFinding,
  loadInterface,
  toolVersions,
} from '../../codegen/index.ts'
import type {
  InterfaceIr,
  LoadedInterface,
  LoadOptions,
  OperationIr,
  ParameterIr,
  ResponseIr,
} from '../../codegen/index.ts'
import { member } from '../host/member.ts'
import { CommandError } from '../host/problem.ts'
import type {
  Check,
  InterfaceFacts,
  Issue,
  LinkFact,
  MediaFact,
  OperationFacts,
  ParameterFact,
  RawParameters,
  ResponseFact,
} from '../testing/conform.ts'
import { cachedFiles } from './conform-cache.ts'
import { EXIT } from './outcome.ts'
import { productVersion } from './version.ts'
import { INTERFACES } from '../host/config/schema.ts'
import { specFolder } from './spec-folder.ts'

/**
 * A document, where it is mounted (`''` or `/prefix`; by its `x-interface` if absent), and what is
 * done with it before.
 */
interface DocumentSource extends LoadOptions {
  readonly file: string
  readonly mount?: string
  /** Where it has been loaded already. */
  readonly loaded?: LoadedInterface
}

interface DocumentsOptions {
  /** FILE or FILE=/prefix; the service's own documents if absent. */
  readonly specs: readonly (string | DocumentSource)[] | undefined
  readonly cache: string | undefined
  /** What is done with documents that are given as text. */
  readonly load?: Pick<LoadOptions, 'overlays' | 'vocabulary'>
}

interface Document {
  readonly loaded: LoadedInterface
  /** The plugins that it went through: nothing else of them shows in its files. */
  readonly plugins: string
  readonly mount: string
}

interface PrintedMedia {
  readonly mediaType: string
  readonly kind: MediaFact['kind']
  readonly check?: Check
}

interface PrintedOperation {
  readonly operationId: string
  readonly parameters: (raw: RawParameters, issues: Issue[]) => unknown
  readonly body?: { readonly media: readonly PrintedMedia[] }
  readonly responses: readonly {
    readonly status: string
    readonly media: readonly PrintedMedia[]
  }[]
}

type PrintedArbitraries = Readonly<Record<string, Pick<OperationFacts, 'valid' | 'flawed'>>>

/** The facts of all documents. Throws CommandError where one cannot be read or is wrong. */
export async function loadDocuments(options: DocumentsOptions): Promise<readonly InterfaceFacts[]> {
  const documents = distinct(
    (options.specs ?? ownSpecs()).map((given) => readDocument(given, options.load)),
  )
  const folder = await cachedFiles(options.cache, keyOf(documents), () => printAll(documents))
  return Promise.all(documents.map((document) => factsOf(document, folder)))
}

function ownSpecs(): readonly string[] {
  const folder = specFolder(': name some with --spec')
  return INTERFACES.map((name) => join(folder, `${name}.yaml`))
}

function sourceOf(text: string): DocumentSource {
  const [, file = text, mount] = /^(.*?)(?:=(\/.*|))?$/u.exec(text) ?? []
  return { file, ...(mount === undefined ? {} : { mount }) }
}

function readDocument(given: string | DocumentSource, load: LoadOptions = {}): Document {
  const source = typeof given === 'string' ? { ...sourceOf(given), ...load } : given
  const { file, mount: prefix, loaded = undefined, ...options }: DocumentSource = source
  if (!existsSync(file)) throw new CommandError(`there is no ${file}`, EXIT.usage)
  return checkedDocument(loaded ?? loadInterface(resolve(file), options), prefix, options)
}

/** Throws CommandError where a document is wrong. */
function checkedDocument(
  loaded: LoadedInterface,
  prefix: string | undefined,
  options: LoadOptions,
): Document {
  const wrong = loaded.findings.filter(({ severity }) => severity === 'error')
  const [first] = wrong
  if (first !== undefined) {
    const shown = formatFinding({
      ...first,
      at: { ...first.at, file: relative(process.cwd(), first.at.file) },
    })
    throw new CommandError(
      `${shown}${wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more)`}`,
      EXIT.usage,
    )
  }
  const own = member(loaded.ir.extensions['x-interface'], 'mount')
  const plugins = (options.plugins ?? []).map(({ name, version }) => `${name}@${version}`).join()
  return {
    loaded,
    plugins,
    mount: (prefix ?? (typeof own === 'string' ? own : '')).replace(/\/$/u, ''),
  }
}

/** Two documents of one name get folders of their own. */
function distinct(documents: readonly Document[]): readonly Document[] {
  const used = new Set<string>()
  return documents.map(({ loaded, ...rest }, index) => {
    const isFree = !used.has(loaded.ir.name) && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(loaded.ir.name)
    const name = isFree ? loaded.ir.name : `document-${index + 1}`
    used.add(name)
    return { loaded: { ...loaded, ir: { ...loaded.ir, name } }, ...rest }
  })
}

function keyOf(documents: readonly Document[]): string {
  const hash = createHash('sha256').update(`${productVersion()} ${toolVersions().generator}`)
  for (const { loaded, plugins } of documents) {
    hash.update(`\0${loaded.ir.name}\0${plugins}`)
    for (const { bytes } of loaded.inputs) hash.update('\0').update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

async function printAll(documents: readonly Document[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const { loaded } of documents) {
    for (const ir of [loaded.ir, headerInterface(loaded.ir)]) {
      for (const [file, text] of emitForConformance({ ...loaded, ir })) files.set(file, text)
    }
  }
  return files
}

/**
 * Declared response headers as an interface of their own whose requests bear them: its decoders
 * tell what is wrong with an answer's.
 */
function headerInterface(ir: InterfaceIr): InterfaceIr {
  const operations = ir.operations.flatMap((operation) =>
    operation.responses
      .filter(({ headers }) => headers.length > 0)
      .map((response): OperationIr => ({
        operationId: headerOperation(operation, response),
        method: 'GET',
        path: '/',
        tags: [],
        deprecated: false,
        responses: [],
        security: [],
        extensions: {},
        at: operation.at,
        parameters: response.headers.map((header): ParameterIr => {
          return { ...header, in: 'header', style: 'simple', extensions: {} }
        }),
      })),
  )
  return { ...ir, name: `${ir.name}-headers`, operations }
}

function headerOperation({ operationId }: OperationIr, { status }: ResponseIr): string {
  return `${operationId}_${status}`
}

async function factsOf({ loaded, mount }: Document, folder: string): Promise<InterfaceFacts> {
  const { ir } = loaded
  const printed = await printedOperations(folder, ir.name)
  const headers = await printedOperations(folder, `${ir.name}-headers`)
  const arbitraries = await printedArbitraries(folder, ir.name)
  const links = linksOf(loaded)
  const operations = ir.operations.map((operation) =>
    operationFacts(operation, { printed, headers, arbitraries, links }),
  )
  // docs/spec-conventions.md: phases of an interface's requests; without `mediaType` nobody looks
  // at content types.
  const checks = member(ir.extensions['x-interface'], 'checks')
  const ignoresMediaTypes = Array.isArray(checks) && !checks.includes('mediaType')
  return {
    name: ir.name,
    mount,
    ignoresMediaTypes,
    operations,
    securitySchemes: ir.securitySchemes,
  }
}

interface Parts {
  readonly printed: ReadonlyMap<string, PrintedOperation>
  readonly headers: ReadonlyMap<string, PrintedOperation>
  readonly arbitraries: PrintedArbitraries
  /** By operation id and status. */
  readonly links: ReadonlyMap<string, readonly LinkFact[]>
}

function operationFacts(
  operation: OperationIr,
  { printed, headers, arbitraries, links }: Parts,
): OperationFacts {
  const { operationId, method, path, security, extensions, body } = operation
  const route = printed.get(operationId)
  const drawn = arbitraries[operationId]
  if (route === undefined || drawn === undefined)
    throw new Error(`nothing was made of operation ${operationId}`)
  const refuses = extensions['x-refuses']
  const media = route.body?.media ?? []
  return {
    operationId,
    method,
    path,
    security,
    valid: drawn.valid,
    flawed: drawn.flawed,
    decode: route.parameters,
    parameters: operation.parameters.map(parameterFact),
    ...(body === undefined
      ? {}
      : {
          body: {
            required: body.required,
            media: body.media.flatMap((declared, index) => {
              const printed = media[index]
              const { examples } = declared
              if (printed === undefined) return []
              return [{ ...printed, fields: fieldEncodings(declared), examples }]
            }),
          },
        }),
    refuses: (Array.isArray(refuses) ? refuses : Object.keys(entriesOf(refuses))).map(Number),
    responses: operation.responses.map((response): ResponseFact => {
      const decode = headers.get(headerOperation(operation, response))?.parameters
      return {
        status: response.status,
        media: route.responses.find(({ status }) => status === response.status)?.media ?? [],
        links: links.get(`${operationId} ${response.status}`) ?? [],
        ...(decode === undefined ? {} : { checkHeaders: (header) => headerIssues(decode, header) }),
      }
    }),
  }
}

function parameterFact({
  name,
  in: place,
  required,
  style,
  explode,
  mediaType,
}: ParameterIr): ParameterFact {
  return {
    name,
    in: place,
    required,
    style,
    explode,
    ...(mediaType === undefined ? {} : { json: true }),
  }
}

function headerIssues(
  decode: PrintedOperation['parameters'],
  header: (name: string) => string | undefined,
): readonly Issue[] {
  const issues: Issue[] = []
  decode({ path: [], query: '', header }, issues)
  return issues
}

/**
 * OpenAPI links by operation id and status; a link by `operationRef` within the document counts,
 * too.
 */
function linksOf({ ir, document }: LoadedInterface): ReadonlyMap<string, readonly LinkFact[]> {
  const paths = member(document, 'paths')
  const all = member(member(document, 'components'), 'links')
  return new Map(
    ir.operations.flatMap((operation) =>
      operation.responses.map(({ status }) => {
        const responses = member(
          member(member(paths, operation.path), operation.method.toLowerCase()),
          'responses',
        )
        const response = member(responses, status) ?? member(responses, status.toLowerCase())
        const links = Object.values(entriesOf(member(response, 'links'))).flatMap((link) =>
          readLink(resolvedLink(link, all), ir),
        )
        return [`${operation.operationId} ${status}`, links] as const
      }),
    ),
  )
}

function entriesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

function resolvedLink(link: unknown, all: unknown): unknown {
  const ref = member(link, '$ref')
  return typeof ref === 'string' ? member(all, ref.slice(ref.lastIndexOf('/') + 1)) : link
}

function readLink(link: unknown, ir: InterfaceIr): readonly LinkFact[] {
  const ref = member(link, 'operationRef')
  const [path = '', method] =
    typeof ref === 'string' ? ref.replace(/^.*#\/paths\//u, '').split('/') : []
  const template = path.replaceAll('~1', '/').replaceAll('~0', '~')
  const byRef = ir.operations.find(
    (operation) => operation.path === template && operation.method.toLowerCase() === method,
  )
  const target = member(link, 'operationId') ?? byRef?.operationId
  return typeof target === 'string'
    ? [{ target, parameters: entriesOf(member(link, 'parameters')) }]
    : []
}

async function printedOperations(
  folder: string,
  name: string,
): Promise<ReadonlyMap<string, PrintedOperation>> {
  const operations = member(member(await load(folder, name, 'routes'), 'wire'), 'operations')
  if (!Array.isArray(operations) || !operations.every(isPrintedOperation))
    throw new Error(`the routes of ${name} are not as expected`)
  return new Map(operations.map((operation) => [operation.operationId, operation]))
}

function isPrintedOperation(value: unknown): value is PrintedOperation {
  return (
    typeof member(value, 'operationId') === 'string' &&
    typeof member(value, 'parameters') === 'function'
  )
}

async function printedArbitraries(folder: string, name: string): Promise<PrintedArbitraries> {
  const make = member(await load(folder, name, 'arbitraries'), 'arbitraries')
  const made: unknown = typeof make === 'function' ? member(make(fc), 'operations') : undefined
  if (!isPrintedArbitraries(made)) throw new Error(`the arbitraries of ${name} are not as expected`)
  return made
}

function isPrintedArbitraries(value: unknown): value is PrintedArbitraries {
  return (
    Object.values(entriesOf(value)).every((one) => member(one, 'valid') instanceof fc.Arbitrary) &&
    typeof value === 'object'
  )
}

async function load(folder: string, name: string, part: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, name, `${part}.gen.ts`)).href)
}
