// Prints what requests and replies are made of alike: parameters, headers and bodies.
import type { MediaIr, OperationIr, ParameterIr } from '../ir.ts'
import { kindOf } from './arbitraries-kinds.ts'
import type { KindSheet } from './arbitraries-objects.ts'
import { exampleCode } from './arbitraries-shared.ts'
import { bodyKind, itemSchema, operationName, validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'
import { isStyled } from './form-fields.ts'
import { propertyKey, quote } from '../literals.ts'
import { listSign, objectFormOf } from './reader.ts'
import { typesOf } from '../keywords/types.ts'
import { dereference, isBinary } from './schema-facts.ts'

/** The sheet with which printing a kind starts. `current` is the component that is printed. */
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

/** The kind of a body in a media type; `hint` names the check of a schema that has no name. */
export function mediaKind(context: EmitContext, media: MediaIr, hint: string): string {
  const { schema = true, mediaType, examples } = media
  const sheet = sheetOf(context, hint)
  const type = quote(mediaType)
  switch (bodyKind(mediaType)) {
    case 'json': {
      const { check } = validatorsOf(context, schema, hint)
      const rest =
        check === undefined
          ? []
          : [check, ...examples.map((one) => exampleCode(context.kinds, one))]
      return `json(${[type, kindOf(sheet, schema), ...rest].join(', ')})`
    }
    case 'form':
    case 'multipart': {
      // The form's own fields, written out so that binary ones are bytes.
      const code = kindOf({ ...sheet, isForm: true }, dereference(context.ir, schema))
      return `form(${type}, ${isStyled(media) ? `separated(${code})` : code})`
    }
    case 'events':
      return `events(${type}, ${kindOf(sheet, itemSchema(context, schema))})`
    case 'json-lines':
      return `lines(${type}, ${kindOf(sheet, itemSchema(context, schema))})`
    case 'text': {
      const target = dereference(context.ir, schema)
      const isSaid = typeof target === 'object' && target.type === 'string'
      const code = isSaid && !isBinary(context.ir, schema) ? kindOf(sheet, schema) : 'text()'
      return `raw(${type}, ${code})`
    }
    default:
      return `raw(${type}, bytes())`
  }
}
