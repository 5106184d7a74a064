// Finds the paths of the IR in the documents: there parameters stand in another order, null is a
// flag, statuses may be in lower case.
import type { LoadedInterface } from '../load/load-interface.ts'
import type { Path } from '../load/source.ts'
import { fields, isFields, items } from '../values.ts'
import type { Fields } from '../values.ts'

/** Key of a parameter in the paths of the IR, where its index says nothing. */
export function parameterKey({
  in: place,
  name,
}: {
  readonly in: string
  readonly name: string
}): string {
  return `${place} ${name}`
}

/**
 * The path in the resolved document of a path of the IR, or of its nearest ancestor that is there.
 */
export function documentPath({ document }: Pick<LoadedInterface, 'document'>, path: Path): Path {
  const found: string[] = []
  let value: unknown = document
  for (let index = 0; index < path.length; index += 1) {
    const key = keyIn(value, path, index)
    if (key === undefined) {
      if (!isNullFlag(value, path, index)) break
      index += 1
      continue
    }
    found.push(key)
    value = Array.isArray(value) ? value[Number(key)] : fields(value)[key]
  }
  return found
}

function keyIn(value: unknown, path: Path, index: number): string | undefined {
  const key = path[index] ?? ''
  if (Array.isArray(value))
    return path[0] === 'paths' && index === 4 && path[3] === 'parameters'
      ? indexOf(value, key)
      : inList(value, key)
  if (!isFields(value)) return undefined
  if (Object.hasOwn(value, key)) return key
  if (index === 2 && path[1] === 'schemas') return writtenName(value, key)
  if (key === 'schema' && Object.hasOwn(value, 'itemSchema')) return 'itemSchema'
  return index === 4 && path[3] === 'responses'
    ? Object.keys(value).find((one) => one.toLowerCase() === key.toLowerCase())
    : undefined
}

/** The IR may have a schema twice, for requests under a name of its own. */
function writtenName(schemas: Fields, name: string): string | undefined {
  const written = name.replace(/Request\d*$/u, '')
  return Object.hasOwn(schemas, written) ? written : undefined
}

function inList(list: readonly unknown[], key: string): string | undefined {
  return Number(key) < list.length ? key : undefined
}

function indexOf(parameters: readonly unknown[], key: string): string | undefined {
  const index = items(parameters).findIndex((one) => {
    const { in: place, name } = fields(one)
    return parameterKey({ in: String(place), name: String(name) }) === key
  })
  return index < 0 ? undefined : String(index)
}

/** OpenAPI 3.0 writes `nullable`, where the IR has an alternative. */
function isNullFlag(value: unknown, path: Path, index: number): boolean {
  return fields(value)['nullable'] === true && path[index] === 'anyOf' && path[index + 1] === '0'
}
