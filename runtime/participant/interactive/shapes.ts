// The types of contracts, arguments and results, by the template and choice that they belong to.
import { templateTypes } from '../../../generated/contracts.gen.ts'
import type { AnyTemplateType, Shaped } from '../../../generated/contract-codec.gen.ts'
import { templateOf } from '../../store/rules.ts'
import type { Templated } from '../../engine/index.ts'

interface ChoiceShapes {
  readonly argument: Shaped
  readonly result: Shaped
}

/** Shapes of a template's values. */
export interface TemplateShapes {
  readonly name: string
  readonly payload: Shaped
  /** A choice of its own, or of the interface. */
  choice(name: string, interfaceId: string | undefined): ChoiceShapes | undefined
}

/** Shapes of uploaded packages' templates, by id. */
export type UploadedShapes = (templateId: string) => TemplateShapes | undefined

const types: ReadonlyMap<string, AnyTemplateType> = new Map(
  Object.values(templateTypes).map((type): [string, AnyTemplateType] => [type.reference, type]),
)

/** Shapes of the newest version, whatever a contract's is; undefined for other templates. */
export function shapesOf(subject: Templated): TemplateShapes | undefined {
  const type = types.get(templateOf(subject))
  if (type === undefined) return undefined
  const { name, payload, choices, interfaceChoices } = type
  const all = new Map(Object.entries({ ...interfaceChoices, ...choices }))
  return { name, payload, choice: (choice) => all.get(choice) }
}
