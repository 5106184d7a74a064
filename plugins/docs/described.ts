// The mounted interfaces as the pages show them, read from their OpenAPI documents.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { PluginContext } from '../../runtime/index.ts'

const OPERATION = z.looseObject({
  operationId: z.string().default(''),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  parameters: z.array(z.unknown()).default([]),
})
const DOCUMENT = z.looseObject({
  info: z
    .looseObject({ title: z.string().optional(), description: z.string().default('') })
    .default({ description: '' }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
})
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** A mounted interface. */
export interface Described {
  readonly name: string
  readonly mount: string
  readonly title: string
  readonly about: string
  readonly operations: readonly Operation[]
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** Path with the mount of the interface. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly hasParameters: boolean
}

export type Describe = () => Promise<readonly Described[]>

/**
 * Answers what the mounted documents say of themselves; of one that cannot be read, its name. They
 * are read when first asked for, and once: anybody may ask, and they are a megabyte.
 */
export function onceDescribed(documents: PluginContext['documents']): Describe {
  let described: ReturnType<Describe> | undefined
  return () => (described ??= readDescribed(documents))
}

function readDescribed(documents: PluginContext['documents']): Promise<readonly Described[]> {
  return Promise.all(
    documents.map(async ({ name, mount, url }) => {
      const text = await readFile(url, 'utf8').catch(() => '{}')
      const { info, paths } = DOCUMENT.parse(JSON.parse(text))
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        METHODS.flatMap((method) => operationOf(item[method], method, mount + path)),
      )
      return {
        name,
        mount,
        title: info.title ?? name,
        about: firstSentence(info.description),
        operations,
      }
    }),
  )
}

/** The address of an operation in the API reference. */
export function referenceOf(name: string, { tag, id }: Operation): string {
  return `api/${name}.html#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`
}

function operationOf(value: unknown, method: string, path: string): readonly Operation[] {
  const { data } = OPERATION.safeParse(value)
  if (data === undefined) return []
  const { operationId: id, summary, description, tags, parameters } = data
  const hasParameters = parameters.length > 0 || path.includes('{')
  return [{ id, method, path, summary, description, tag: tags[0] ?? 'default', hasParameters }]
}

function firstSentence(text: string): string {
  return /^[^.]*\.?/.exec(text)?.[0] ?? ''
}
