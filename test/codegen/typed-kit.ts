// Where generated types may say `unknown`: where the document says nothing, or a finding says why.
import assert from 'node:assert/strict'
import type { InterfaceIr, LoadedInterface, Schema } from '../../codegen/index.ts'

/** Findings that say why a type is unknown. */
const EXPLAINING: ReadonlySet<string> = new Set([
  'untyped-schema',
  'bad-value',
  'open-alternative',
  'ignored-keyword',
  'undeclared-required',
])

/** Nothing is unknown in an interface's files of which the document says something. */
export function assertTyped(
  { ir, findings }: LoadedInterface,
  files: Readonly<Record<string, string>>,
): void {
  const explained = findings.filter(({ rule }) => EXPLAINING.has(rule)).length
  const printed = ['types', 'handlers'].map((file) => unknowns(files[`${file}.gen.ts`] ?? ''))
  const silent = printed.reduce((sum, count) => sum + count, 0) - explained
  const open = openSpots(ir)
  assert.ok(
    silent <= open,
    `${ir.name}: ${silent} unknown, ${open} places of which nothing is said`,
  )
}

function unknowns(code: string): number {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/'(?:[^'\n\\]|\\.)*'/gu, '')
  return bare.match(/\bunknown\b/gu)?.length ?? 0
}

/** Places where a document leaves everything open, so that the type must too. */
function openSpots(ir: InterfaceIr): number {
  const inline = ir.operations.flatMap(({ parameters, body, responses }) => [
    ...parameters.map(({ schema }) => schema),
    ...responses.flatMap(({ headers }) => headers.map(({ schema }) => schema)),
    ...[...(body?.media ?? []), ...responses.flatMap(({ media }) => media)].map(
      ({ schema }) => schema ?? true,
    ),
  ])
  return [...Object.values(ir.schemas), ...inline].reduce<number>(
    (sum, schema) => sum + openSpotsOf(schema),
    0,
  )
}

const SILENT_KEYS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'deprecated',
  'examples',
  'default',
  'readOnly',
  'writeOnly',
])

function openSpotsOf(schema: Schema): number {
  if (typeof schema === 'boolean') return schema ? 1 : 0
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, schema.prefixItems].flatMap(
    (list) => list ?? [],
  )
  const members = [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
  ]
  const single = [schema.items, schema.additionalProperties].filter((one) => one !== undefined)
  const inner = [...lists, ...members, ...single]
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const isOpen =
    Object.keys(schema).every((key) => SILENT_KEYS.has(key)) ||
    (types.includes('object') && members.length + single.length + lists.length === 0) ||
    (types.includes('array') && schema.items === undefined)
  return (isOpen ? 1 : 0) + inner.reduce<number>((sum, one) => sum + openSpotsOf(one), 0)
}
