// What the scenes have to reach: the templates of released archives and their choices, of their own
// and of the interfaces that they implement.
import { archivesIn, programOf } from '../released.ts'
import type { Packages } from '../../../runtime/packages/decode/packages.ts'
import type { TemplateDefinition } from '../../../runtime/packages/program/definitions.ts'

/** An action of a template: it is created, or a choice of it is exercised. */
export interface Feature {
  /** The template's module and name, which follow the package's id. */
  readonly template: string
  readonly action: string
}

export interface Released {
  readonly packageId: string
  readonly features: readonly Feature[]
}

export const CREATE = 'create'

/** A choice of an interface by the interface's own name. */
export function interfaceAction(interfaceId: string, choice: string): string {
  const [, module = '', name = ''] = interfaceId.split(':')
  return `${module.slice(module.lastIndexOf('.') + 1)}:${name} ${choice}`
}

/** The main package of an archive, which is named `<name>-<version>`. */
export async function catalogueOf(name: string): Promise<Released> {
  const program = programOf((await archivesIn(`${name}.dar`)).values())
  const main = [...program.packages.values()].find((of) => `${of.name}-${of.version}` === name)
  if (main === undefined) throw new Error(`${name} has no main package`)
  const features = [...main.modules.values()].flatMap(({ name: module, templates }) =>
    [...templates.values()].flatMap((read) => {
      const template = read()
      return actionsOf(program, template).map((action) => ({
        template: `${module}:${template.reference.name}`,
        action,
      }))
    }),
  )
  return { packageId: main.packageId, features }
}

function actionsOf(
  program: Packages,
  { choices, implementations }: TemplateDefinition,
): readonly string[] {
  const isOwn = (choice: string): boolean => choice !== 'Archive'
  return [
    CREATE,
    ...[...choices.keys()].filter(isOwn),
    ...[...implementations.values()].flatMap(({ interface: reference }) =>
      [...program.interface(reference).choices.keys()]
        .filter(isOwn)
        .map((choice) => interfaceAction(reference.text, choice)),
    ),
  ]
}
