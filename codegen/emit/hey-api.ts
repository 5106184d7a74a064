// The one place that knows @hey-api/openapi-ts: component schemas in, text of types.gen.ts out. Its
// plugin interface is unstable, its `clean` deletes foreign files and its operation types lose
// media types and headers, so it gets schemas only, in a folder of its own.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceIr } from '../ir.ts'
import { LINE } from '../layout.ts'
import { fields } from '../values.ts'
import { ownTypes, typeRequest } from './type-request.ts'
import type { TypeRequest } from './type-request.ts'
import { withLightCompiler } from './light-compiler.ts'

/** Types that were printed before, by interface and the hash of what was asked for. */
export type KnownTypes = (interfaceName: string, hash: string) => string | undefined

/**
 * Generates the types of all component schemas, unless they are known. Where the foreign generator
 * fails, as it does at long chains of references, all types are printed here. Throws when it leaves
 * out a schema, or fails even then.
 */
export async function emitTypes(ir: InterfaceIr, known?: KnownTypes): Promise<string> {
  const request = typeRequest(ir)
  if (request.names.length === 0) return 'export {}\n'
  return known?.(ir.name, request.hash) ?? (await printTypes(ir, request))
}

/** `emitTypes` that remembers the last types of each interface: few changes change a type. */
export function rememberedTypes(): typeof emitTypes {
  const last = new Map<string, { readonly hash: string; readonly types: string }>()
  return async (ir) => {
    const types = await emitTypes(ir, (name, hash) => {
      const one = last.get(name)
      return one?.hash === hash ? one.types : undefined
    })
    last.set(ir.name, { hash: typeRequest(ir).hash, types })
    return types
  }
}

async function printTypes(ir: InterfaceIr, request: TypeRequest): Promise<string> {
  try {
    return await askedTypes(request)
  } catch (error) {
    if (!(error instanceof ForeignFailure)) throw error
    return askedTypes(ownTypes(ir))
  }
}

/** The foreign generator gave up; the message has its reason, which its own error hides. */
class ForeignFailure extends Error {}

function foreignFailure(error: unknown): ForeignFailure {
  const original = fields(fields(error)['originalError'])['error'] ?? error
  const reason =
    original instanceof Error ? `${original.name}: ${original.message}` : String(original)
  return new ForeignFailure(`@hey-api/openapi-ts cannot print the types: ${reason}`, {
    cause: error,
  })
}

async function askedTypes({ document, names, own }: TypeRequest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerwright-types-'))
  try {
    await runHeyApi(structuredClone({ ...document }), folder).catch((error: unknown) => {
      throw foreignFailure(error)
    })
    const types = putOwn(own, tidy(await readFile(join(folder, 'types.gen.ts'), 'utf8')))
    const printed = new Set(
      Array.from(types.matchAll(/^export type (\S+) =/gmu), ([, name]) => name),
    )
    const missing = names.filter((name) => !printed.has(name))
    if (missing.length > 0)
      throw new Error(`@hey-api/openapi-ts emitted no type for: ${missing.join(', ')}`)
    return types
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runHeyApi(input: Record<string, unknown>, path: string): Promise<void> {
  const { createClient } = await withLightCompiler(() => import('@hey-api/openapi-ts'))
  await createClient({
    input,
    // A configuration of the project is for the project's own use of it.
    configFile: join(path, 'none.ts'),
    output: { path, clean: false, entryFile: false, postProcess: [], tsConfigPath: null },
    parser: { transforms: { readWrite: { enabled: false } } },
    plugins: [
      {
        name: '@hey-api/typescript',
        definitions: { case: 'preserve', name: '{{name}}' },
        $resolvers: {
          number: (context) =>
            context.schema.format === 'int64'
              ? context.$.type('bigint')
              : context.schema.format === 'decimal'
                ? context.$.type('string')
                : undefined,
          string: (context) =>
            context.schema.format === 'binary' ? context.$.type('string') : undefined,
        },
      },
    ],
    logs: { level: 'silent', file: false },
  })
}

function putOwn(own: TypeRequest['own'], types: string): string {
  return types.replaceAll(/^export type (\S+) = string;$/gmu, (line, name: string) => {
    const alias = own.get(name)
    return alias === undefined ? line : `export type ${name} = ${alias};`
  })
}

/** Takes off the foreign header and the client options, which no client of ours has. */
function tidy(types: string): string {
  return (
    types
      .replaceAll('\r\n', '\n')
      .replace(/^\/\/ This file is auto-generated[^\n]*\n+/u, '')
      // A decimal that may come as number or as text is text either way.
      .replaceAll(': string | string;', ': string;')
      .replace(/export type ClientOptions = \{\n[\s\S]*?\n\};\n+/u, '')
      .replaceAll(/^( *)\/\*\*\n\1 \* (.+)\n\1 \*\/$/gmu, (long, pad: string, words: string) => {
        const line = `${pad}/** ${words} */`
        return line.length <= LINE ? line : long
      })
  )
}
