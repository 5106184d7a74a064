// What the validator tests share: printed code loaded as a module, Ajv as oracle, seeded random
// values.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceIr, Schema } from '../../codegen/ir.ts'
import { printSupport } from '../../codegen/emit/support.ts'
import {
  checkName,
  liftName,
  printValidators,
  type ValidatorRoot,
} from '../../codegen/emit/validators.ts'
import type { Issue } from '../../runtime/http/wire.ts'
import { imported } from './generator-kit.ts'

export interface PrintedModule {
  readonly text: string
  /** All issues that the check of a component or root finds in the value. */
  check(name: string, value: unknown): Issue[]
  lift(name: string, value: unknown): unknown
  readonly exports: Readonly<Record<string, unknown>>
}

const folder = mkdtempSync(join(tmpdir(), 'validators-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
writeFileSync(join(folder, 'validation.gen.ts'), printSupport('validation.gen.ts'))
let count = 0

/** Prints the validators of `ir`, writes them as the generator does, and imports them. */
export async function load(
  ir: InterfaceIr,
  roots: readonly ValidatorRoot[] = [],
): Promise<PrintedModule> {
  const text = printValidators(ir, roots)
  const place = join(folder, `i${++count}`)
  mkdirSync(place)
  writeFileSync(join(place, 'validators.gen.ts'), text)
  const exports: Record<string, unknown> = await imported(place, 'validators.gen.ts')
  const call = (name: string, ...args: readonly unknown[]): unknown => {
    const found = exports[name]
    if (typeof found !== 'function') throw new Error(`${name} was not printed`)
    return Reflect.apply(found, undefined, args)
  }
  const check = (name: string, value: unknown) => {
    const issues: Issue[] = []
    call(checkName(name), value, issues)
    return issues
  }
  return { text, exports, check, lift: (name, value) => call(liftName(name), value) }
}

/** An interface that has nothing but these component schemas. */
export function irOf(schemas: Readonly<Record<string, Schema>>): InterfaceIr {
  return {
    irVersion: 1,
    name: 'fixture',
    title: 'Fixture',
    version: '1',
    openapi: '3.1.0',
    operations: [],
    schemas,
    securitySchemes: {},
    extensions: {},
  }
}

/** Pointer and keyword of each issue, in order, as `pointer keyword`. */
export function brief(issues: readonly Issue[]): readonly string[] {
  return issues.map((issue) => `${issue.pointer} ${issue.keyword}`)
}
