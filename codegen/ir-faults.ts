// What the emitters take for granted of an IR. The loaders see to it with places; hooks of plugins
// may break it.
import type { InterfaceIr } from './ir.ts'
import { refName, schemaRef } from './load/refs.ts'
import { selfDefined } from './load/circles.ts'
import { isFields } from './values.ts'

/**
 * What makes an IR unfit for printing, a sentence each: names used twice, references to nothing,
 * schemas defined by themselves.
 */
export function irFaults(ir: InterfaceIr): readonly string[] {
  const ids = ir.operations.map(({ operationId }) => operationId)
  const routes = ir.operations.map(({ method, path }) => `${method} ${path}`)
  const refs = new Set<string>()
  gatherRefs(
    [
      ir.operations.map(({ parameters, body, responses }) => [parameters, body, responses]),
      ir.schemas,
    ],
    refs,
  )
  const missing = [...refs].filter(
    (ref) => !ref.startsWith(schemaRef('')) || !Object.hasOwn(ir.schemas, refName(ref)),
  )
  return [
    ...twice(ids).map((id) => `two operations are called '${id}'`),
    ...twice(routes).map((route) => `${route} is there twice`),
    ...missing.map((ref) => `'${ref}' does not exist`),
    ...selfDefined(ir.schemas).map((name) => `schema '${name}' is defined by itself alone`),
  ]
}

function twice(names: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))]
}

function gatherRefs(value: unknown, refs: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) gatherRefs(item, refs)
  if (!isFields(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string') refs.add(item)
    else if (!NO_SCHEMAS.has(key) && !key.startsWith('x-')) gatherRefs(item, refs)
  }
}

const NO_SCHEMAS: ReadonlySet<string> = new Set([
  'examples',
  'enum',
  'const',
  'default',
  'extensions',
  'encoding',
  'discriminator',
])
