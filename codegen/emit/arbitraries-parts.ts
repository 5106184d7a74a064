// Prints what requests and replies are made of alike: parameters, headers and fields of forms.
import type { MediaIr, OperationIr, ParameterIr, Schema } from '../ir.ts'
import { kindOf } from './arbitraries-kinds.ts'
import type { KindSheet } from './arbitraries-objects.ts'
import { operationName } from './context.ts'
import type { EmitContext } from './context.ts'
import { isStyled } from './form-fields.ts'
import { propertyKey } from '../literals.ts'
import { listSign, objectFormOf } from './reader.ts'
import { dereference, isBinary, typesOf } from './schema-facts.ts'

/** What printing a kind starts with. `current` is the component that is printed. */
export function sheetOf(context: EmitContext, hint: string, current?: string): KindSheet {
  return { context, current, hint, isForm: false, depth: 0, print: kindOf }
}

/** Parameters of one place: those that must be there, those that may. */
export function printParameters(
  context: EmitContext,
  operation: OperationIr,
  parameters: readonly ParameterIr[],
): string {
  const group = (isRequired: boolean): string => {
    const members = parameters
      .filter(({ required }) => required === isRequired)
      .map(
        (parameter) =>
          `${propertyKey(parameter.name)}: ${printParameter(context, operation, parameter)}`,
      )
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  const optional = group(false)
  return `[${group(true)}${optional === '{}' ? '' : `, ${optional}`}]`
}

function printParameter(
  context: EmitContext,
  operation: OperationIr,
  parameter: ParameterIr,
): string {
  const hint = `${operationName(context, operation.operationId)}_${parameter.in}_${parameter.name}`
  const code = kindOf(sheetOf(context, hint), parameter.schema)
  if (parameter.mediaType !== undefined) return `jsonText(${code})`
  const target = dereference(context.ir, parameter.schema)
  const types = typeof target === 'object' ? typesOf(target) : []
  const isJoined = types.includes('array')
    ? listSign(parameter) !== ''
    : types.includes('object') && objectFormOf(parameter) === 'joined'
  return isJoined ? `separated(${code})` : code
}

/** True for a body of text that the schema says more about. */
export function isText(context: EmitContext, schema: Schema): boolean {
  const target = dereference(context.ir, schema)
  return typeof target === 'object' && target.type === 'string' && !isBinary(context.ir, schema)
}

/** A form's own fields, written out so that binary ones are bytes. */
export function formKind(sheet: KindSheet, media: MediaIr): string {
  const target = dereference(sheet.context.ir, media.schema ?? true)
  const code = kindOf({ ...sheet, isForm: true }, target)
  return isStyled(media) ? `separated(${code})` : code
}
