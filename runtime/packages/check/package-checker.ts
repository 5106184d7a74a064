// The check of packages at their upload: every definition is read and held to the rules of the
// language. Nothing of it is kept. docs/decisions/0056
import { setImmediate } from 'node:timers/promises'
import { Budget } from '../archive/message.ts'
import { Packages } from '../decode/packages.ts'
import type { PackageBytes } from '../decode/packages.ts'
import type { Definitions, Module, Package } from '../program/definitions.ts'
import { located } from '../program/malformed-definition.ts'
import { refuseCollisions } from './collisions.ts'
import {
  checkDataType,
  checkException,
  checkInterface,
  checkSynonym,
  checkTemplate,
  checkValue,
} from './definition-rules.ts'
import { ExpressionChecker } from './expression-checker.ts'

/** Work that the packages of one upload may cost in all; of the largest known it is 1.6 million. */
const MAX_WORK = 10_000_000
/** Work that one definition may cost, in one turn; the most that is known is 5,649. */
const MAX_DEFINITION = 100_000
/** Work that is done before others have their turn; some milliseconds. */
const WORK_PER_TURN = 10_000

/**
 * Refuses packages that break a rule of the language: throws MalformedArchive. `packages` are those
 * that are checked, by id, and all that they refer to.
 */
export async function checkPackages(
  packages: readonly PackageBytes[],
  checked: ReadonlySet<string>,
): Promise<void> {
  const work = new Budget(MAX_WORK)
  const program = new Packages(work)
  for (const each of packages) program.add(each)
  const checker = new ExpressionChecker(program, work)
  let from = work.left
  for (const each of program.packages.values()) {
    if (!checked.has(each.packageId)) continue
    refuseCollisions(each)
    for (const check of checksOf(checker, each)) {
      work.allow(MAX_DEFINITION)
      check()
      if (from - work.left < WORK_PER_TURN) continue
      await setImmediate()
      from = work.left
    }
  }
}

function* checksOf(checker: ExpressionChecker, { modules }: Package): Generator<() => void> {
  for (const module of modules.values()) yield* moduleChecks(checker, module)
}

function* moduleChecks(checker: ExpressionChecker, module: Module): Generator<() => void> {
  function* each<T>(
    definitions: Definitions<T>,
    check: (definition: T) => void,
  ): Generator<() => void> {
    for (const [name, read] of definitions)
      yield () => {
        const where = { module: module.name, name }
        checker.enter(where)
        located(where, () => check(read()))
      }
  }
  yield* each(module.synonyms, (definition) => checkSynonym(checker, definition))
  yield* each(module.dataTypes, (definition) => checkDataType(checker, definition, module))
  yield* each(module.values, (definition) => checkValue(checker, definition))
  yield* each(module.templates, (definition) => checkTemplate(checker, definition))
  yield* each(module.interfaces, (definition) => checkInterface(checker, definition))
  yield* each(module.exceptions, (definition) => checkException(checker, definition, module))
}
