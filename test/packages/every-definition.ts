// Looks at everything that a package defines.
import type {
  ChoiceDefinition,
  Module,
  Package,
} from '../../runtime/packages/program/definitions.ts'

/** Decodes all of it; the number of pieces of code. */
export function readWhole({ modules }: Package): number {
  return [...modules.values()].reduce((sum, module) => sum + readModule(module), 0)
}

function readModule(module: Module): number {
  const codes = [
    ...[...module.values.values()].map((read) => read().code),
    ...[...module.exceptions.values()].map((read) => read().message),
    ...[...module.interfaces.values()].flatMap((read) => codesOf(read().choices)),
    ...[...module.templates.values()].flatMap((read) => {
      const { precondition, signatories, observers, choices, implementations } = read()
      const methods = [...implementations.values()].flatMap((each) => [
        each.view,
        ...[...each.methods.values()].map(({ code }) => code),
      ])
      return [precondition ?? [], signatories, observers, codesOf(choices), methods].flat()
    }),
  ]
  for (const read of [...module.synonyms.values(), ...module.dataTypes.values()]) read()
  for (const read of codes) read()
  return codes.length
}

function codesOf(choices: ReadonlyMap<string, ChoiceDefinition>): (() => unknown)[] {
  return [...choices.values()].flatMap(({ controllers, observers, update }) =>
    [controllers, observers, update].flat(),
  )
}
