// Cuts a document into three files joined by external references, as public documents are written:
// schemas in two, the rest in one.
import { parse, stringify } from 'yaml'

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Files by name; the root keeps the given name. Every second schema goes to the second file, so
 * references run both ways.
 */
export function splitDocument(name: string, source: string): Readonly<Record<string, string>> {
  const root: unknown = parse(source, { intAsBigInt: true })
  if (!isFields(root) || !isFields(root['components']) || !isFields(root['components']['schemas']))
    return { [name]: source }
  const schemas = Object.entries(root['components']['schemas'])
  const home = new Map(
    schemas.map(([key], index) => [key, index % 2 === 0 ? 'common-a.yaml' : 'common-b.yaml']),
  )
  const part = (file: string): string => {
    const own = schemas
      .filter(([key]) => home.get(key) === file)
      .map(([key, value]) => [key, relink(value, home, file)])
    return stringify({ components: { schemas: Object.fromEntries(own) } })
  }
  const aliases = schemas.map(([key]) => [
    key,
    { $ref: `${home.get(key)}#/components/schemas/${key}` },
  ])
  const { schemas: _schemas, ...components } = root['components']
  const rest = relink({ ...root, components }, home, name)
  const joined = isFields(rest)
    ? { ...rest, components: { ...components, schemas: Object.fromEntries(aliases) } }
    : rest
  return {
    [name]: stringify(joined),
    'common-a.yaml': part('common-a.yaml'),
    'common-b.yaml': part('common-b.yaml'),
  }
}

function relink(value: unknown, home: ReadonlyMap<string, string>, file: string): unknown {
  if (Array.isArray(value)) return value.map((item) => relink(item, home, file))
  if (typeof value === 'string') return relinked(value, home, file)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, relink(item, home, file)]),
  )
}

/** References and discriminator mappings are the only texts of this form. */
function relinked(text: string, home: ReadonlyMap<string, string>, file: string): string {
  const key = /^#\/components\/schemas\/([^/]+)$/u.exec(text)?.[1]
  const target = key === undefined ? undefined : home.get(key)
  return target === undefined || target === file ? text : `${target}${text}`
}
