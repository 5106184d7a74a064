// Templates and interfaces with their choices. Field numbers are those of the public archive
// format.
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type {
  ChoiceDefinition,
  Implementation,
  InterfaceDefinition,
  ReadCode,
  TemplateDefinition,
} from '../program/definitions.ts'
import type { Reference } from '../program/types.ts'
import { codeIn } from './code-reader.ts'
import type { CodeScope } from './expression-reader.ts'
import { byName } from './by-name.ts'
import type { Binder } from './reading.ts'

const KEY = 9
/** Ids of templates are keys of stores, which have a limit. */
const MAX_NAME = 400

export function readTemplate(
  scope: CodeScope,
  reference: Reference,
  message: Message,
): TemplateDefinition {
  if (message.has(KEY))
    throw new MalformedArchive(
      'It has a key, and keys of contracts are not supported (rule language version)',
    )
  const { module, name } = reference
  if (module.length + name.length > MAX_NAME)
    throw new MalformedArchive(`Module and name have more than ${MAX_NAME} characters`)
  const payload = thisIn(scope, reference, message.number(2))
  const code = (field: number): ReadCode => codeIn(scope, reference, message, field, [payload])
  const implementations = message
    .messages(10)
    .map((each) => readImplementation(scope, reference, payload, each))
  return {
    reference,
    precondition: message.has(3) ? code(3) : undefined,
    signatories: code(4),
    observers: code(7),
    choices: readChoices(scope, reference, payload, message.messages(6)),
    implementations: byName(implementations, (each) => each.interface.text),
  }
}

export function readInterface(
  scope: CodeScope,
  reference: Reference,
  message: Message,
): InterfaceDefinition {
  const value = thisIn(scope, reference, message.number(4))
  const methods = message.messages(3).map((method) => ({
    name: scope.names.identifier(method.number(2)),
    type: scope.typeReader.type(method.message(3)),
  }))
  return {
    reference,
    requires: message.messages(7).map((each) => scope.reference(each)),
    methods: byName(methods, (method) => method.name),
    choices: readChoices(scope, reference, value, message.messages(5)),
    view: scope.typeReader.type(message.message(6)),
  }
}

/** The contract's payload, or the interface's value, as code names it. */
function thisIn(scope: CodeScope, reference: Reference, name: number): Binder {
  return { name: scope.names.identifier(name), type: scope.types.constructorType(reference) }
}

function readImplementation(
  scope: CodeScope,
  reference: Reference,
  payload: Binder,
  message: Message,
): Implementation {
  const body = message.message(2)
  const methods = body.messages(1).map((method) => ({
    name: scope.names.identifier(method.number(1)),
    code: codeIn(scope, reference, method, 2, [payload]),
  }))
  return {
    interface: scope.reference(message.message(1)),
    methods: byName(methods, (method) => method.name),
    view: codeIn(scope, reference, body, 2, [payload]),
  }
}

function readChoices(
  scope: CodeScope,
  reference: Reference,
  value: Binder,
  messages: readonly Message[],
): ReadonlyMap<string, ChoiceDefinition> {
  const choices = messages.map((message) => readChoice(scope, reference, value, message))
  return byName(choices, (choice) => choice.name)
}

function readChoice(
  scope: CodeScope,
  reference: Reference,
  value: Binder,
  message: Message,
): ChoiceDefinition {
  if (message.has(1001))
    throw new MalformedArchive('A choice has authorizers (rule language version)')
  const binder = message.message(6)
  const argument = {
    name: scope.names.identifier(binder.number(3)),
    type: scope.typeReader.type(binder.message(2)),
  }
  const self = scope.names.identifier(message.number(10))
  const contractId = {
    // The argument hides it.
    name: self === argument.name ? '' : self,
    type: scope.types.builtin('ContractId', scope.types.constructorType(reference)),
  }
  const parties = (field: number): ReadCode =>
    codeIn(scope, reference, message, field, [value, argument])
  return {
    name: scope.names.identifier(message.number(2)),
    consuming: message.number(3) !== 0,
    argument: argument.type,
    result: scope.typeReader.type(message.message(8)),
    controllers: parties(4),
    observers: parties(5),
    update: codeIn(scope, reference, message, 9, [value, argument, contractId]),
  }
}
