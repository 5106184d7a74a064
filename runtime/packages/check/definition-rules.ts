// Rules of definitions: each function refuses one definition that breaks one of them.
import type {
  ChoiceDefinition,
  DataDefinition,
  ExceptionDefinition,
  Implementation,
  InterfaceDefinition,
  Module,
  ReadCode,
  TemplateDefinition,
  ValueDefinition,
} from '../program/definitions.ts'
import { describeType } from '../program/type-text.ts'
import type { Reference, SynonymDefinition, Type, TypeParameter } from '../program/types.ts'
import type { ExpressionChecker } from './expression-checker.ts'
import { unserializableData, unserializablePart } from './serializable.ts'

export function checkSynonym(
  checker: ExpressionChecker,
  { parameters, type }: SynonymDefinition,
): void {
  requireDistinct(checker, parameters)
  checker.kinds.within(parameters, () => checker.kinds.requireStar(type))
}

export function checkDataType(
  checker: ExpressionChecker,
  definition: DataDefinition,
  { interfaces }: Module,
): void {
  const { parameters, shape, serializable, reference } = definition
  requireDistinct(checker, parameters)
  if ((shape.kind === 'enum' || shape.kind === 'interface') && parameters.length > 0)
    checker.fail('DefEnum', `An ${shape.kind} has parameters`)
  if (shape.kind === 'interface' && !interfaces.has(reference.name))
    checker.fail('DefInterface', 'Its interface is not defined')
  const fields =
    shape.kind === 'record' ? shape.fields : shape.kind === 'variant' ? shape.constructors : []
  checker.kinds.within(parameters, () => {
    for (const { type } of fields) checker.kinds.requireStar(type)
  })
  const problem = serializable ? unserializableData(checker.program, definition) : undefined
  if (problem !== undefined)
    checker.fail('serializable types', `It says that it is serializable, but ${problem}`)
}

export function checkValue(checker: ExpressionChecker, { type, code }: ValueDefinition): void {
  checker.kinds.requireStar(type)
  checker.code(code(), type, 'DefValue')
}

export function checkException(
  checker: ExpressionChecker,
  { reference, message }: ExceptionDefinition,
  { templates }: Module,
): void {
  const { types } = checker
  if (templates.has(reference.name))
    checker.fail('exception coherence', 'It is a template and an exception')
  const type = requireRecord(checker, reference, 'DefException')
  checker.code(message(), types.arrow(type, types.builtin('Text')), 'DefException')
}

export function checkTemplate(checker: ExpressionChecker, template: TemplateDefinition): void {
  const { types } = checker
  requireRecord(checker, template.reference, 'DefTemplate')
  if (template.precondition)
    checker.code(template.precondition(), types.builtin('Bool'), 'DefTemplate')
  requireParties(checker, template.signatories, 'DefTemplate')
  requireParties(checker, template.observers, 'DefTemplate')
  for (const choice of template.choices.values()) checkChoice(checker, choice)
  for (const implementation of template.implementations.values())
    checkImplementation(checker, template, implementation)
}

export function checkInterface(checker: ExpressionChecker, definition: InterfaceDefinition): void {
  const { program, kinds } = checker
  const { reference, requires, view } = definition
  const rule = 'DefInterface'
  if (program.dataType(reference).shape.kind !== 'interface')
    checker.fail(rule, 'Its type is no interface')
  if (requires.includes(reference)) checker.fail(rule, 'It requires itself')
  for (const required of requires)
    for (const further of program.interface(required).requires)
      if (!requires.includes(further))
        checker.fail(rule, `It does not require ${nameOf(further)}, which ${nameOf(required)} does`)
  for (const { type } of definition.methods.values()) kinds.requireStar(type)
  kinds.requireStar(view)
  if (view.kind !== 'constructor' || program.dataType(view.reference).shape.kind !== 'record')
    checker.fail(rule, `Its view ${describeType(view)} is no record`)
  requireSerializable(checker, view, rule)
  for (const choice of definition.choices.values()) checkChoice(checker, choice)
}

function checkChoice(checker: ExpressionChecker, choice: ChoiceDefinition): void {
  const { kinds, types } = checker
  for (const type of [choice.argument, choice.result]) {
    kinds.requireStar(type)
    requireSerializable(checker, type, 'ChDef')
  }
  requireParties(checker, choice.controllers, 'ChDef')
  requireParties(checker, choice.observers, 'ChDef')
  checker.code(choice.update(), types.builtin('Update', choice.result), 'ChDef')
}

function checkImplementation(
  checker: ExpressionChecker,
  template: TemplateDefinition,
  implementation: Implementation,
): void {
  const rule = 'ImplDef'
  const { requires, methods, view } = checker.program.interface(implementation.interface)
  const missing = requires.find(({ text }) => !template.implementations.has(text))
  if (missing !== undefined)
    checker.fail(rule, `It does not implement ${nameOf(missing)}, which is required`)
  for (const name of methods.keys())
    if (!implementation.methods.has(name)) checker.fail(rule, `It lacks the method ${name}`)
  for (const [name, { code }] of implementation.methods) {
    const method = methods.get(name)
    if (method === undefined) return checker.fail(rule, `There is no method ${name}`)
    checker.code(code(), method.type, rule)
  }
  checker.code(implementation.view(), view, rule)
}

function requireDistinct(checker: ExpressionChecker, parameters: readonly TypeParameter[]): void {
  if (new Set(parameters.map(({ name }) => name)).size < parameters.length)
    checker.fail('well-formed types', 'It has a type parameter twice')
}

/** The type of a template or exception: a serializable record without parameters. */
function requireRecord(checker: ExpressionChecker, reference: Reference, rule: string): Type {
  const { parameters, shape } = checker.program.dataType(reference)
  if (shape.kind !== 'record' || parameters.length > 0)
    checker.fail(rule, 'Its type is no record without parameters')
  const type = checker.types.constructorType(reference)
  requireSerializable(checker, type, rule)
  return type
}

function requireSerializable(checker: ExpressionChecker, type: Type, rule: string): void {
  const part = unserializablePart(checker.program, type)
  if (part !== undefined) checker.fail(rule, `No contract can hold ${part}`)
}

function requireParties(checker: ExpressionChecker, code: ReadCode, rule: string): void {
  checker.code(code(), checker.types.builtin('List', checker.types.builtin('Party')), rule)
}

function nameOf({ module, name }: Reference): string {
  return `${module}:${name}`
}
