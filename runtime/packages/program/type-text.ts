// Types as texts: errors show them so, and those of the language's own functions are written so.
import { MalformedArchive } from '../archive/message.ts'
import { builtinTypes } from './builtin-types.ts'
import { describeKind, NAT, STAR } from './type-table.ts'
import type { Types } from './type-table.ts'
import type { Type } from './types.ts'

const MAX_TEXT = 300
const TOKEN = /->|[A-Za-z0-9]+|[^\s\w]/g
/** Variables that are numbers; others are types. */
const NUMBERS = new Set(['n', 'm', 'k'])

const builtins = new Map([...builtinTypes.values()].map((name) => [String(name), name]))

/** The type as people read it, cut where it is long. */
export function describeType(type: Type): string {
  let text = ''
  const write = (part: Type, inner: boolean): void => {
    if (text.length > MAX_TEXT) return
    if (part.kind === 'nat') text += part.value
    else if (part.kind === 'struct')
      part.types.forEach((each, index) => {
        text += `${index === 0 ? '{' : ', '}${part.shape.names[index]}: `
        write(each, false)
        if (index === part.types.length - 1) text += '}'
      })
    else if (part.kind === 'forall') {
      text += `(forall ${part.parameter.name}: ${describeKind(part.parameter.kind)}. `
      write(part.body, false)
      text += ')'
    } else {
      const isApplied = inner && part.arguments.length > 0
      text += isApplied ? '(' : ''
      text +=
        part.kind === 'constructor' ? `${part.reference.module}:${part.reference.name}` : part.name
      for (const argument of part.arguments) {
        text += ' '
        write(argument, true)
      }
      text += isApplied ? ')' : ''
    }
  }
  write(type, false)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** Reads the text of a type, such as `a. Text -> List a`. */
export function parseType(types: Types, text: string): Type {
  const [first = '', ...rest] = text.split('. ')
  const [variables, body] = rest.length === 0 ? ['', first] : [first, rest.join('. ')]
  const tokens = [...body.matchAll(TOKEN)].map(([token]) => token)
  const type = new TypeParser(types, tokens).type()
  return variables
    .split(' ')
    .filter((name) => name !== '')
    .reduceRight(
      (inner, name) => types.forall({ name, kind: NUMBERS.has(name) ? NAT : STAR }, inner),
      type,
    )
}

class TypeParser {
  readonly #types: Types
  readonly #tokens: string[]

  constructor(types: Types, tokens: readonly string[]) {
    this.#types = types
    this.#tokens = [...tokens]
  }

  type(): Type {
    const parts: Type[] = []
    while (/^[A-Za-z({]/.test(this.#tokens[0] ?? '')) parts.push(this.#atom())
    const [head, ...args] = parts
    if (head === undefined) throw new MalformedArchive('The text of a type is cut short')
    const applied = this.#types.apply(head, args)
    if (this.#tokens[0] !== '->') return applied
    this.#tokens.shift()
    return this.#types.arrow(applied, this.type())
  }

  #atom(): Type {
    const token = this.#tokens.shift() ?? ''
    if (token === '{') return this.#struct()
    if (token === '(') {
      const type = this.type()
      this.#tokens.shift()
      return type
    }
    const builtin = builtins.get(token)
    return builtin === undefined ? this.#types.variable(token) : this.#types.builtin(builtin)
  }

  #struct(): Type {
    const fields = new Map<string, Type>()
    for (let next = ''; next !== '}'; next = this.#tokens.shift() ?? '}') {
      const [name = ''] = this.#tokens.splice(0, 2)
      fields.set(name, this.type())
    }
    const shape = this.#types.shape([...fields.keys()])
    return this.#types.struct(
      shape,
      shape.names.flatMap((name) => fields.get(name) ?? []),
    )
  }
}
