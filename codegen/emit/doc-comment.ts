// Documentation comments of printed code: what the document says of operations, parameters and
// members, where an editor shows it.
import type { OperationIr, ParameterIr } from '../ir.ts'
import { LINE } from '../layout.ts'

/** A comment of paragraphs, in one line where they fit; nothing where none says anything. */
export function docComment(paragraphs: readonly (string | undefined)[], pad = ''): string {
  const said = paragraphs.flatMap((one) => lineEnds(one ?? '').trim() || [])
  if (said.length === 0) return ''
  const text = said.join('\n\n').replaceAll('*/', '* /')
  const line = `${pad}/** ${text} */`
  if (!text.includes('\n') && line.length <= LINE) return `${line}\n`
  const lines = text.split('\n').map((one) => `${pad} * ${one}`.trimEnd())
  return `${pad}/**\n${lines.join('\n')}\n${pad} */\n`
}

/** The comment of an operation: its summary, its description, and whether it is on the way out. */
export function operationComment(operation: OperationIr, pad: string): string {
  const { summary, description, deprecated } = operation
  const more = description === summary ? undefined : description
  return docComment([summary, more, deprecated ? '@deprecated' : undefined], pad)
}

/** Parameters of one place as a member: each in a line below its comment where one has any. */
export function parameterGroup(
  head: string,
  parameters: readonly ParameterIr[],
  print: (parameter: ParameterIr) => string,
): string {
  const members = parameters.map((parameter) => {
    const { description, deprecated } = parameter
    const comment = docComment(
      [description, deprecated === true ? '@deprecated' : undefined],
      '    ',
    )
    return { comment, text: print(parameter) }
  })
  if (members.every(({ comment }) => comment === ''))
    return `${head}: { ${members.map(({ text }) => text).join('; ')} }`
  return `${head}: {\n${members.map(({ comment, text }) => `${comment}    ${text}\n`).join('')}  }`
}

function lineEnds(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/gu, '\n')
}
