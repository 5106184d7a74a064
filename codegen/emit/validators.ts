// Prints validators.gen.ts: a check per component schema and root, and a lift where decoding
// changes values: as `check_X(value: unknown, problems: Problem[], depth?: number): void`,
// `lift_X(value: unknown, depth?: number): unknown`. Problems say in: 'body', their pointers are
// relative to the value ('' is the value itself; a missing property is pointed at itself). What is
// printed imports nothing but `../validation.gen.ts`.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { checkName, checkLines, outlinedLines } from './validators-check.ts'
import { innerSchemas } from '../keywords/walk.ts'
import { type Facts, factsOf } from './validators-facts.ts'
import { liftName, liftLines, outlinedLift } from './validators-lift.ts'
import { type Printer, topPlace } from './validators-place.ts'
import { printImports } from './support.ts'
import { freeNames } from './uses.ts'
import { indent } from './validators-text.ts'

/** A schema that gets a function of its own under a name that no component schema has. */
export interface ValidatorRoot {
  readonly name: string
  readonly schema: Schema
}

export { checkName, liftName }

/**
 * True when decoding changes values of the schema (it has an int64 or a default): WireMedia.lift is
 * then needed.
 */
export function needsLift(ir: InterfaceIr, schema: Schema): boolean {
  const facts = factsOf(ir)
  return facts.hasInt64(schema) || facts.hasDefault(schema)
}

/**
 * Text of validators.gen.ts (without marker line) for all component schemas of `ir` and the given
 * roots. Throws when a root has a component's name, a pattern does not compile, or a schema is
 * defined by itself alone.
 */
export function printValidators(ir: InterfaceIr, roots: readonly ValidatorRoot[]): string {
  const facts = factsOf(ir)
  const taken = roots.find((root) => Object.hasOwn(ir.schemas, root.name))
  if (taken !== undefined)
    throw new Error(`root ${taken.name} of ${ir.name} has the name of a component schema`)
  const components = Object.entries(ir.schemas).map(([name, schema]) => ({ name, schema }))
  const sheet = makeSheet(facts)
  const functions = [...components, ...roots].flatMap(({ name, schema }) =>
    printSchema(sheet, name, schema),
  )
  const body = [...sheet.constants(functions.join('\n')), ...functions].join('\n\n')
  return `${printImports(body, ['validation.gen.ts'])}\nexport type { Problem } from '../validation.gen.ts'\n\n${body}\n`
}

interface Sheet {
  readonly printer: Printer
  /** Constants that the text of the functions uses: plans that were not printed made others. */
  constants(text: string): readonly string[]
  /** Prints the functions that were asked for by `outline`, and those that they ask for. */
  printOutlined(): readonly string[]
  /** Functions that `part` has printed since. */
  takeParts(): readonly string[]
  startFunction(): void
  /** The text of a function; an alias when the same parameters and lines were printed before. */
  readonly print: (head: string, parameters: string, lines: readonly string[]) => string
}

function makeSheet(facts: Facts): Sheet {
  const constants = new Map<string, string>()
  const outlines = startOutlines()
  const { isFarIn, oneIn } = startLevels()
  let variables = 0
  let parts: string[] = []
  let partCount = 0
  const print = startBlocks()
  const printer: Printer = {
    facts,
    unions: { depth: 0 },
    check: (schema, place) =>
      isFarIn(schema)
        ? outlinedLines(printer, schema, place)
        : oneIn(() => checkLines(printer, schema, place)),
    lift: (schema, v, isTop) =>
      isFarIn(schema)
        ? outlinedLift(printer, schema, v, isTop)
        : oneIn(() => liftLines(printer, schema, v, isTop)),
    fresh: (stem) => `${stem}${++variables}`,
    constant: (stem, expression) => {
      const name = constants.get(expression) ?? `${stem}_${constants.size + 1}`
      constants.set(expression, name)
      return name
    },
    outline: (schema) => outlines.nameOf('check', schema),
    outlineLift: (schema) => outlines.nameOf('lift', schema),
    part: (way, v, lines) => {
      const isDeep = freeNames(lines.join('\n')).has('d')
      const name = `part_${++partCount}`
      const problems = way === 'check' ? ', e: Problem[]' : ''
      const depth = isDeep ? ', d: number' : ''
      const head = `(${v}: Record<string, unknown>${problems}${depth}): void`
      parts.push(print(`function ${name}`, head, lines))
      return `${name}(${v}${way === 'check' ? ', e' : ''}${isDeep ? ', d' : ''})`
    },
  }
  const sheet: Sheet = {
    printer,
    constants: (text) => {
      const words = new Set(text.match(/\w+/gu))
      const used = Array.from(constants).filter(([, name]) => words.has(name))
      const lines = used.map(([value, name]) => `const ${name} = ${value}`)
      return lines.length === 0 ? [] : [lines.join('\n')]
    },
    printOutlined: () =>
      Array.from(outlines.taken(), ({ way, name, schema }) =>
        way === 'check'
          ? printCheck(sheet, `function ${name}`, schema)
          : printLift(sheet, `function ${name}`, schema),
      ),
    startFunction: () => {
      variables = 0
    },
    print,
    takeParts: () => {
      const taken = parts
      parts = []
      return taken
    },
  }
  return sheet
}

/** Schemas that stand in each other deeper than this get functions of their own. */
const MOST_LEVELS = 16

/** Counts how deep in others the schema stands that is being printed. */
function startLevels(): {
  isFarIn(schema: Schema): schema is SchemaObject
  oneIn(print: () => readonly string[]): readonly string[]
} {
  let depth = 0
  return {
    isFarIn: (schema): schema is SchemaObject =>
      depth >= MOST_LEVELS && typeof schema === 'object' && innerSchemas(schema).length > 0,
    oneIn: (print) => {
      depth += 1
      const lines = print()
      depth -= 1
      return lines
    },
  }
}

type Way = 'check' | 'lift'

interface Outlined {
  readonly way: Way
  readonly name: string
  readonly schema: Schema
}

/** Functions for schemas that no component is, each under one name. */
function startOutlines(): {
  nameOf(way: Way, schema: Schema): string
  /** Functions that are yet to be printed: printing one may ask for others. */
  taken(): Iterable<Outlined>
} {
  const names = { check: new Map<Schema, string>(), lift: new Map<Schema, string>() }
  const waiting: Outlined[] = []
  return {
    nameOf: (way, schema) => {
      const known = names[way].get(schema)
      if (known !== undefined) return known
      const name = `${way === 'check' ? 'fits' : 'lifted'}_${names[way].size + 1}`
      names[way].set(schema, name)
      waiting.push({ way, name, schema })
      return name
    },
    *taken() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next
    },
  }
}

function printSchema(sheet: Sheet, name: string, schema: Schema): readonly string[] {
  const functions = [printCheck(sheet, `export function ${checkName(name)}`, schema)]
  if (sheet.printer.facts.hasLift(schema))
    functions.push(printLift(sheet, `export function ${liftName(name)}`, schema))
  return [...functions, ...sheet.printOutlined(), ...sheet.takeParts()]
}

function printCheck(sheet: Sheet, head: string, schema: Schema): string {
  sheet.startFunction()
  const lines = checkLines(sheet.printer, schema, topPlace('v'))
  const isDeep = sheet.printer.facts.isDeep(schema)
  const all = [...(isDeep ? ['if (d > DEPTH_LIMIT) return tooDeep(e)'] : []), ...returnEarly(lines)]
  const unused = lines.length === 0 ? '_' : ''
  const e = all.length === 0 ? '_e' : 'e'
  return sheet.print(
    head,
    `(${unused}v: unknown, ${e}: Problem[]${isDeep ? ', d = 0' : ''}): void`,
    all,
  )
}

// A function whose whole body is `if (…) fail else { … }` reads better, and is shorter, when it
// returns on failure.
function returnEarly(lines: readonly string[]): readonly string[] {
  const [test = '', other, ...rest] = lines
  const body = rest.slice(0, -1)
  let level = 0
  for (const line of body) {
    if (line.startsWith('}')) level--
    if (level < 0) return lines
    if (line.endsWith('{')) level++
  }
  const found = /^if \((.*)\) (want\(.*)$/u.exec(test)
  return other !== 'else {' || found === null
    ? lines
    : [`if (${found[1] ?? ''}) return ${found[2] ?? ''}`, ...body]
}

function printLift(sheet: Sheet, head: string, schema: Schema): string {
  sheet.startFunction()
  const lines = liftLines(sheet.printer, schema, 'v', true)
  const isDeep = sheet.printer.facts.isDeep(schema)
  const all = [...(isDeep ? ['if (d > DEPTH_LIMIT) return v'] : []), ...lines, 'return v']
  return sheet.print(head, `(v: unknown${isDeep ? ', d = 0' : ''}): unknown`, all)
}

// Documents repeat themselves (`Empty1`, `Empty2`): a function that does what an earlier one does
// becomes an alias.
function startBlocks(): Sheet['print'] {
  const first = new Map<string, string>()
  return (head, parameters, lines) => {
    const body =
      lines.length === 0 ? `${parameters} {}` : indent([`${parameters} {`, ...lines, '}'])
    const name = head.slice(head.lastIndexOf(' ') + 1)
    const twin = first.get(body)
    if (twin !== undefined) return `${head.replace('function ', 'const ')} = ${twin}`
    first.set(body, name)
    return head + body
  }
}
