// Loaded before a process that bench/walk.ts looks at: answers which of our functions have run, how
// often, and how many SQL statements, since it was asked last; or at the end, into a file.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

/** What ran between two questions. */
export interface Walk {
  readonly files: number
  readonly functions: number
  readonly calls: number
  readonly statements: number
  /** Files, with the number of functions of each. */
  readonly all: readonly string[]
  /** Calls of each function, most first. */
  readonly most: readonly (readonly [name: string, calls: number])[]
}

const ROOT = pathToFileURL(`${resolve(import.meta.dirname, '..')}/`).href
/** Not what is installed, nor this probe. */
const OURS = /^(codegen|generated|plugins|runtime)\//
const NAMED = 60
/** They only bracket reads that stand together. */
const BRACKETS = new Set(['begin', 'commit'])

let statements = 0
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
countStatements()

const file = process.env['WALK_FILE']
if (file === undefined) {
  process.on('message', () => process.send?.(walk()))
  process.channel?.unref()
} else process.on('exit', () => writeFileSync(file, JSON.stringify(walk())))

function walk(): Walk {
  let result: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_error, taken) => ({ result } = taken))
  const ran = result
    .filter(({ url }) => OURS.test(url.slice(ROOT.length)) && url.startsWith(ROOT))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [{ count, startOffset } = NOTHING] }) =>
        count === 0 ? [] : [{ path: url.slice(ROOT.length), functionName, startOffset, count }],
      ),
    )
  const walked = {
    files: new Set(ran.map(({ path }) => path)).size,
    functions: ran.length,
    calls: ran.reduce((sum, { count }) => sum + count, 0),
    statements,
    all: [...Map.groupBy(ran, ({ path }) => path)]
      .map(([path, some]) => `${path} ${some.length}`)
      .toSorted(),
    most: ran
      .toSorted((one, other) => other.count - one.count)
      .slice(0, NAMED)
      .map(
        ({ path, functionName, startOffset, count }) =>
          [`${path} ${functionName || `at ${startOffset}`}`, count] as const,
      ),
  }
  statements = 0
  return walked
}

const NOTHING = { count: 0, startOffset: 0 }

function countStatements(): void {
  const database = new SqliteDatabase(':memory:')
  const prototype: object = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  for (const name of ['all', 'get', 'run', 'iterate']) {
    const method: unknown = Reflect.get(prototype, name)
    if (typeof method !== 'function') throw new Error(`a statement has no ${name}`)
    Reflect.set(
      prototype,
      name,
      function counted(this: { readonly source: string }, ...values: unknown[]) {
        if (!BRACKETS.has(this.source)) statements += 1
        return Reflect.apply(method, this, values)
      },
    )
  }
}
