// Printed arbitraries held against the printed validators and decoders of the same document:
// written into a folder, imported, drawn from.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { emitForConformance } from '../../codegen/index.ts'
import type { InterfaceIr, LoadedInterface, OperationIr } from '../../codegen/index.ts'
import { bodyKind } from '../../codegen/emit/context.ts'
import { checkName } from '../../codegen/emit/validators.ts'
import type {
  FlawedCase,
  InterfaceArbitraries,
  RequestBody,
  RequestCase,
} from '../../codegen/emit/support/arbitrary.ts'
import { encodeRequest } from '../../codegen/emit/support/client-request.ts'
import type { ClientOperation } from '../../codegen/emit/support/client-types.ts'
import { parseExact, stringifyExact } from '../../codegen/emit/support/exact-json.ts'
import type { Problem } from '../../codegen/emit/support/validation.ts'
import type { RawParameters, RouteOperation, Routes } from '../../codegen/emit/support/wire.ts'
import { imported } from './generator-kit.ts'

/** Draws are the same from run to run; `SEED` tries others. */
export const SEED = Number(process.env['SEED'] ?? 20_240_607)

type Check = (value: unknown, issues: Problem[]) => void

export interface Printed {
  readonly text: string
  readonly made: InterfaceArbitraries
  readonly routes: Routes
  check(schemaName: string, value: unknown): readonly Problem[]
}

function isCheck(value: unknown): value is Check {
  return typeof value === 'function'
}

function isMaker(value: unknown): value is (fastCheck: typeof fc) => InterfaceArbitraries {
  return typeof value === 'function'
}

function isRoutes(value: unknown): value is Routes {
  return typeof value === 'object' && value !== null && 'operations' in value
}

/**
 * Writes the files of a conformance run and imports them; without the checks that printed bodies
 * are sifted with, when asked.
 */
export async function printed(
  folder: string,
  loaded: LoadedInterface,
  isSifted = true,
): Promise<Printed> {
  const { name } = loaded.ir
  let text = ''
  for (const [file, content] of emitForConformance(loaded)) {
    const isOwn = file.endsWith('/arbitraries.gen.ts')
    const code =
      isOwn && !isSifted
        ? content.replaceAll(/^( +json\(.*), check_[\w$]+\),$/gmu, '$1),')
        : content
    if (isOwn) text = code
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  const load = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
    return await imported(folder, name, `${file}.gen.ts`)
  }
  const [{ arbitraries }, validators, { wire }] = [
    await load('arbitraries'),
    await load('validators'),
    await load('routes'),
  ]
  if (!isMaker(arbitraries) || !isRoutes(wire)) throw new Error(`${name} was not printed`)
  const check = (schemaName: string, value: unknown): readonly Problem[] => {
    const found = validators[checkName(schemaName)]
    const issues: Problem[] = []
    if (!isCheck(found)) throw new Error(`no check of ${schemaName}`)
    found(value, issues)
    return issues
  }
  return { text, made: arbitraries(fc), routes: wire, check }
}

/** Values of an arbitrary. */
export function draw<T>(arbitrary: Arbitrary<T>, count: number): readonly T[] {
  return fc.sample(arbitrary, { numRuns: count, seed: SEED })
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'bigint' ? `${item}n` : item,
    )?.slice(0, 400) ?? 'undefined'
  )
}

/**
 * What a server that goes by the document finds wrong with a request that has gone over the wire.
 */
export function problems(
  operation: OperationIr,
  route: RouteOperation,
  sent: RequestCase | FlawedCase,
): readonly Problem[] {
  const client: ClientOperation = {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    body: [],
    responses: [],
    parameters: operation.parameters.map((one) => ({
      in: one.in,
      name: one.name,
      style: one.style,
      explode: one.explode,
      ...(one.mediaType === undefined ? {} : { json: true }),
    })),
  }
  const { url, headers } = encodeRequest({ baseUrl: 'http://h' }, client, sent)
  const issues: Problem[] = []
  route.parameters(received(operation, new URL(url), headers), issues)
  return [...issues, ...bodyProblems(route, sent.body)]
}

/** Parameters as the server's router hands them on. */
function received(operation: OperationIr, url: URL, headers: Headers): RawParameters {
  const pattern = operation.path
    .split(/\{[^{}]+\}/u)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
    .join('([^/]*)')
  const found = new RegExp(`^${pattern}$`, 'u').exec(url.pathname)
  if (found === null) throw new Error(`${url.pathname} is no path of ${operation.path}`)
  return {
    path: found.slice(1).map(decodeURIComponent),
    query: url.search.slice(1),
    header: (name) => headers.get(name) ?? undefined,
  }
}

function bodyProblems(route: RouteOperation, body: RequestBody | undefined): readonly Problem[] {
  const problem = (keyword: string): readonly Problem[] => [
    { in: 'body', pointer: '', keyword, message: '' },
  ]
  if (body === undefined) return route.body?.required === true ? problem('required') : []
  const media = route.body?.media.find((one) => one.mediaType === body.mediaType)
  if (media === undefined) return problem('mediaType')
  const issues: Problem[] = []
  try {
    const value =
      media.kind === 'json' ? parseExact(body.raw ?? stringifyExact(body.value)) : body.value
    media.check?.(value, issues)
  } catch {
    return problem('syntax')
  }
  return issues
}

/**
 * The same interface with one operation for each schema, whose body it is: so the flaws of every
 * schema can be drawn.
 */
export function schemaBodies(loaded: LoadedInterface): LoadedInterface {
  const at = { file: '', line: 1, column: 1, pointer: '' }
  const operations = Object.keys(loaded.ir.schemas).map((name): OperationIr => ({
    operationId: name,
    method: 'POST',
    path: `/${encodeURIComponent(name)}`,
    tags: [],
    deprecated: false,
    parameters: [],
    body: {
      required: false,
      media: [
        {
          mediaType: 'application/json',
          schema: { $ref: `#/components/schemas/${name}` },
          examples: [],
        },
      ],
    },
    responses: [],
    security: [],
    extensions: {},
    at,
  }))
  const ir: InterfaceIr = { ...loaded.ir, operations }
  return { ...loaded, ir }
}

/** Kinds of body that the document's checks look into. */
export function isChecked(mediaType: string): boolean {
  return bodyKind(mediaType) === 'json'
}
