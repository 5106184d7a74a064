// The check of packages at their upload: every definition is read and held to the rules of the
// language. Nothing of it is kept. docs/decisions/0056
import { setImmediate } from 'node:timers/promises'
import type { Definitions, Module, Package, Program } from '../program/definitions.ts'
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

/** Definitions that are checked before others have their turn. */
const DEFINITIONS_PER_TURN = 50

/**
 * Refuses a package that breaks a rule of the language: throws MalformedArchive. The program has
 * what the package refers to.
 */
export async function checkPackage(program: Program, checked: Package): Promise<void> {
  const checker = new ExpressionChecker(program)
  refuseCollisions(checked)
  let checkedNow = 0
  for (const module of checked.modules.values())
    for (const check of checksOf(checker, module)) {
      check()
      if (++checkedNow % DEFINITIONS_PER_TURN === 0) await setImmediate()
    }
}

function* checksOf(checker: ExpressionChecker, module: Module): Generator<() => void> {
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
