// A made-up project whose document has grown: 300 operations, hand-written handlers for all but 12
// of them in files of about 30.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generate } from '../codegen/index.ts'
import { writeSynthetic } from './codegen-synthetic.ts'

const OPERATIONS = 300
const RESOURCES = OPERATIONS / 4
const FILES = 10
/** Every sixth resource lacks the handler of its update: 12 of the first 72. */
const LACKS_EVERY = 6
export const LACKING = 12

const COMPILER_OPTIONS = {
  target: 'es2024',
  lib: ['esnext'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '../node_modules/@types')],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
}

const PACKAGE = {
  'package.json': '{"type":"module"}',
  'node_modules/ledgerwright/package.json':
    '{"name":"ledgerwright","type":"module","exports":{"./http":{"types":"./http.d.ts"}}}',
  'node_modules/ledgerwright/http.d.ts':
    'export declare class NotWritten extends Error { constructor(operationId: string) }\n',
  'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src', 'gen'] }),
}

/**
 * Writes the project into a folder, generated files included; the texts of its hand-written files
 * by path.
 */
export async function writeProject(folder: string): Promise<ReadonlyMap<string, string>> {
  const document = join(folder, 'synthetic.json')
  put(folder, PACKAGE)
  writeSynthetic(document, OPERATIONS)
  await generate({
    config: { interfaces: [{ spec: document }], out: join(folder, 'gen') },
    root: folder,
  })
  const files = handWritten()
  put(folder, files)
  return new Map(Object.entries(files).map(([file, text]) => [join(folder, file), text]))
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

function handWritten(): Readonly<Record<string, string>> {
  const perFile = Math.ceil(RESOURCES / FILES)
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => {
      const own = Array.from({ length: perFile }, (_item, index) => file * perFile + index).filter(
        (index) => index < RESOURCES,
      )
      const members = own.flatMap((index) => {
        return ['list', 'create', 'get', 'update']
          .filter((verb) => !isLacking(verb, index))
          .map((verb) => member(verb, index))
      })
      return [
        `src/handlers/area-${file}.ts`,
        `// Handlers of area ${file}.
import type { Handlers } from '../../gen/synthetic/handlers.gen.ts'
import type { Store } from '../store.ts'

/** What this area answers. */
export function area${file}(store: Store): Partial<Handlers<unknown>> {
  return {
${members.join('\n')}
  }
}
`,
      ]
    }).concat([
      ['src/store.ts', 'export interface Store {\n  find(key: string): Promise<never>\n}\n'],
    ]),
  )
}

function isLacking(verb: string, index: number): boolean {
  return verb === 'update' && index % LACKS_EVERY === 0 && index / LACKS_EVERY < LACKING
}

/** A handler as people write it: a few steps, comments, a branch. */
function member(verb: string, index: number): string {
  const status = verb === 'create' ? 'never' : 'found'
  return `    // ${verb} of kind ${index}: what is asked for stands in the store under its own key
    ${verb}Resource${index}: async (input) => {
      const key = ['resource-${index}', ...Object.values(input.path), ...Object.keys(input.query)].join('/')
      const ${status} = await store.find(key)
      if (key.length > 200) {
        /* nobody has a key of that length: it is refused by the store already */
        return store.find(\`too long: \${key.slice(0, 20)}\`)
      }
      return ${status}
    },`
}
