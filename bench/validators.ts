// Printed validators against Ajv (in memory and standalone) on the upstream ledger document: size,
// import, speed. Run: node bench/validators.ts. Medians of seven rounds; ratios above 1 mean that
// ours is better.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneModule from 'ajv/dist/standalone/index.js'
import addFormatsModule from 'ajv-formats'
import { printSupport } from '../codegen/emit/support.ts'
import { checkName, printValidators } from '../codegen/emit/validators.ts'
import type { InterfaceIr } from '../codegen/ir.ts'
import { loadInterface } from '../codegen/load/load-interface.ts'

const DOCUMENT = join(
  import.meta.dirname,
  '..',
  '..',
  'shared',
  'upstream',
  'ledger-api-3.5.1',
  'openapi.yaml',
)
const TARGET = 'JsTransaction'
const ROUNDS = 7
const CALLS = 20_000

type Check = (value: unknown) => boolean

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * A transaction of `count` events, created, exercised and archived in turn, as the document
 * describes them.
 */
function transaction(count: number): unknown {
  const common = {
    offset: 1234567,
    contractId: '00aa'.repeat(17),
    templateId: '#app:Main:Coin',
    packageName: 'app',
  }
  const event = (nodeId: number): unknown => {
    const shared = { ...common, nodeId, witnessParties: ['alice::1220aa', 'bob::1220bb'] }
    if (nodeId % 3 === 0) return { ArchivedEvent: shared }
    const exercised = {
      ...shared,
      choice: 'Transfer',
      choiceArgument: { to: 'bob::1220bb' },
      exerciseResult: {},
    }
    if (nodeId % 3 === 1) {
      const acting = {
        actingParties: ['alice::1220aa'],
        consuming: true,
        lastDescendantNodeId: nodeId,
        acsDelta: true,
      }
      return { ExercisedEvent: { ...exercised, ...acting } }
    }
    const argument = { owner: 'alice::1220aa', amount: '1.0' }
    const created = {
      ...shared,
      createArgument: argument,
      createdEventBlob: 'Zm9v',
      interfaceViews: [],
    }
    const parties = { signatories: ['alice::1220aa'], observers: ['bob::1220bb'] }
    const times = {
      createdAt: '2024-01-01T00:00:00Z',
      acsDelta: true,
      representativePackageId: 'aa',
    }
    return { CreatedEvent: { ...created, ...parties, ...times } }
  }
  return {
    updateId: '1220ff',
    commandId: 'c1',
    workflowId: '',
    effectiveAt: '2024-01-01T00:00:00Z',
    offset: 1234567,
    synchronizerId: 'sync::1220aa',
    recordTime: '2024-01-01T00:00:00Z',
    events: Array.from({ length: count }, (_, i) => event(i)),
  }
}

function microseconds(check: Check, value: unknown): number {
  const start = process.hrtime.bigint()
  let right = 0
  for (let i = 0; i < CALLS; i++) if (check(value)) right++
  if (right !== CALLS) throw new Error(`only ${right} of ${CALLS} calls found the value right`)
  return Number(process.hrtime.bigint() - start) / 1000 / CALLS
}

/**
 * Milliseconds that a fresh process needs to import the file, median. `first` is imported before,
 * outside the measure: after any .ts file Node's type stripper is loaded, as it is in our service.
 * With `cache` a code cache is kept there between processes.
 */
function importMs(file: string, first?: string, cache?: string): number {
  const code = [
    ...(cache === undefined
      ? []
      : [`(await import('node:module')).enableCompileCache(${JSON.stringify(cache)})`]),
    ...(first === undefined ? [] : [`await import(${JSON.stringify(pathToFileURL(first).href)})`]),
    'const start = performance.now()',
    `await import(${JSON.stringify(pathToFileURL(file).href)})`,
    'console.log(performance.now() - start)',
  ].join('\n')
  const run = () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
    )
  return median(Array.from({ length: ROUNDS }, run))
}

interface PrintedFiles {
  readonly ts: string
  readonly js: string
  readonly support: string
}

function writePrinted(folder: string, ir: InterfaceIr): PrintedFiles {
  const [support, text] = [printSupport('validation.gen.ts'), printValidators(ir, [])]
  const plain = (code: string) => stripTypeScriptTypes(code).replaceAll('.gen.ts', '.gen.js')
  mkdirSync(join(folder, 'ledger'))
  const place = (name: string) => join(folder, name)
  writeFileSync(place('validation.gen.ts'), support)
  writeFileSync(place('ledger/validators.gen.ts'), text)
  writeFileSync(place('validation.gen.js'), plain(support))
  writeFileSync(place('ledger/validators.gen.js'), plain(text))
  return {
    ts: place('ledger/validators.gen.ts'),
    js: place('ledger/validators.gen.js'),
    support: place('validation.gen.ts'),
  }
}

function makeAjv(ir: InterfaceIr): {
  readonly check: Check
  readonly compileMs: number
  readonly standalone: string
} {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    code: { source: true, esm: true },
    logger: false,
  })
  addFormatsModule.default(ajv)
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
  ajv.addSchema({ $id: 'ir', components: { schemas: ir.schemas } })
  const names = Object.keys(ir.schemas)
  const refOf = (name: string) => `ir#/components/schemas/${name}`
  const start = performance.now()
  const compiled = new Map(
    names.map((name) => [name, ajv.compile({ $id: `x-${name}`, $ref: refOf(name) })]),
  )
  const compileMs = performance.now() - start
  const check = compiled.get(TARGET)
  if (check === undefined) throw new Error(`${TARGET} is not in the document`)
  const exported = Object.fromEntries(names.map((name) => [`v_${name}`, `x-${name}`]))
  const standalone = standaloneModule
    .default(ajv, exported)
    .replaceAll(/require\("([^"]+)"\)/gu, 'req("$1")')
  const head =
    "import { createRequire } from 'node:module'\nconst req = createRequire(import.meta.url)\n"
  return { check: (value) => check(value), compileMs, standalone: head + standalone }
}

async function functionOf(
  file: string,
  name: string,
): Promise<(...args: readonly unknown[]) => unknown> {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href)
  const found = module[name]
  if (typeof found !== 'function') throw new Error(`${name} is not exported`)
  return (...args) => Reflect.apply(found, undefined, args)
}

interface Row {
  readonly what: string
  readonly ours: number
  readonly ajv: number
  readonly unit: string
  /** The most that ours may be, in its unit. */
  readonly aim?: number
  /** The least that Ajv may be of ours. */
  readonly aimRatio?: number
}

function report(rows: readonly Row[]): void {
  for (const { what, ours, ajv, unit, aim, aimRatio } of rows) {
    const figure = (value: number) => `${value.toFixed(1).padStart(9)} ${unit}`
    const ratio = ajv / ours
    const verdict = (met: boolean) => (met ? 'ok' : 'MISSED')
    const aims = [
      ...(aim === undefined ? [] : [`  aim at most ${aim} ${unit}: ${verdict(ours <= aim)}`]),
      ...(aimRatio === undefined
        ? []
        : [`  aim ratio at least ${aimRatio}: ${verdict(ratio >= aimRatio)}`]),
    ].join('')
    console.log(
      `${what.padEnd(28)} ours ${figure(ours)}  Ajv ${figure(ajv)}  ratio ${ratio.toFixed(2)}${aims}`,
    )
  }
}

async function measure(folder: string): Promise<void> {
  const { ir } = loadInterface(DOCUMENT)
  const printing = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    printValidators({ ...ir }, [])
    return performance.now() - start
  })
  const files = writePrinted(folder, ir)
  const ajv = makeAjv(ir)
  const standaloneFile = join(folder, 'standalone.js')
  writeFileSync(standaloneFile, ajv.standalone)
  const printed = await functionOf(files.ts, checkName(TARGET))
  const ours: Check = (value) => {
    const issues: unknown[] = []
    printed(value, issues)
    return issues.length === 0
  }
  const alone = await functionOf(standaloneFile, `v_${TARGET}`)
  const value: unknown = JSON.parse(JSON.stringify(transaction(50)))
  const cache = join(folder, 'cache')
  const subjects: readonly Check[] = [ours, ajv.check, (one) => alone(one) === true]
  const times: number[][] = subjects.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    subjects.forEach((check, i) => times[i]?.push(microseconds(check, value)))
  }
  const [ajvImport, ajvCached] = [
    importMs(standaloneFile),
    importMs(standaloneFile, undefined, cache),
  ]
  const cachedImport = importMs(files.ts, files.support, cache)
  const [our = [], compiled = [], standalone = []] = times
  console.log(`${ir.title}: ${Object.keys(ir.schemas).length} schemas; medians of ${ROUNDS}`)
  const transactionAims = { aim: 12, aimRatio: 1.5 }
  report([
    { what: 'print all / compile all', ours: median(printing), ajv: ajv.compileMs, unit: 'ms' },
    {
      what: 'size',
      ours: statSync(files.ts).size / 1000,
      ajv: ajv.standalone.length / 1000,
      unit: 'kB',
      aim: 150,
    },
    { what: 'import, types stripped', ours: importMs(files.js), ajv: ajvImport, unit: 'ms' },
    { what: 'import of .ts', ours: importMs(files.ts, files.support), ajv: ajvImport, unit: 'ms' },
    { what: 'import of .ts, code cache', ours: cachedImport, ajv: ajvCached, unit: 'ms', aim: 10 },
    {
      what: '50 events, Ajv compiled',
      ours: median(our),
      ajv: median(compiled),
      unit: 'µs',
      ...transactionAims,
    },
    {
      what: '50 events, Ajv standalone',
      ours: median(our),
      ajv: median(standalone),
      unit: 'µs',
      ...transactionAims,
    },
  ])
}

if (existsSync(DOCUMENT)) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-validators-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(import.meta.dirname, '..', 'node_modules'), join(folder, 'node_modules'))
    await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  console.log(`skipped: ${DOCUMENT} is absent`)
}
