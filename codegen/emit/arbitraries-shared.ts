// Kinds of schemas that several references make together. They have no name in the document and may
// stand inside each other without end, so each is printed once, under a name of ours, and their
// number is bounded.
import { canonicalJson } from '../json.ts'
import type { Schema, SchemaObject } from '../ir.ts'
import { literal } from '../literals.ts'

/**
 * Kinds beyond which values are of the first variants alone, or sifted from those of the first
 * part.
 */
const KINDS_PER_COMPONENT = 3
const MOST_TEXT = 4_000_000
/** Characters from which on an example is a constant. */
const LONG = 200

/** Printed kinds of one interface: their code by their constants. */
export interface SharedKinds {
  /** Constants by what they are the kind of. */
  readonly names: Map<string, string>
  /** Declarations in the order in which they were asked for. */
  readonly declarations: string[]
  /** Constants of longer examples by their code. */
  readonly examples: Map<string, string>
  readonly most: number
  /** Characters of all declarations. */
  size: number
}

/** No kinds yet, in a document with so many components. */
export function sharedKinds(components: number): SharedKinds {
  const most = KINDS_PER_COMPONENT * components + 30
  return { names: new Map(), declarations: [], examples: new Map(), most, size: 0 }
}

/** An example as code: a constant where it is long, because operations repeat it. */
export function exampleCode({ examples }: SharedKinds, value: unknown): string {
  const code = literal(value)
  if (code.length < LONG) return code
  const name = examples.get(code) ?? `example_${examples.size + 1}`
  examples.set(code, name)
  return name
}

/** The declarations of all examples. */
export function printExamples({ examples }: SharedKinds): string {
  return [...examples].map(([code, name]) => `const ${name}: unknown = ${code}\n`).join('')
}

/** True when no more kinds may be declared. */
export function isFull({ names, most, size }: SharedKinds): boolean {
  return names.size >= most || size >= MOST_TEXT
}

/** A schema as the rules of its own and the schemas that hold beside them, none of them twice. */
export function conjuncts(schema: SchemaObject): readonly Schema[] {
  const found = new Map<string, Schema>()
  const add = (one: Schema): void => {
    const { allOf, ...own } = typeof one === 'boolean' ? { allOf: undefined } : one
    if (allOf === undefined) found.set(canonicalJson(one), one)
    else {
      if (Object.keys(own).length > 0) found.set(canonicalJson(own), own)
      for (const part of allOf) add(part)
    }
  }
  add(schema)
  return [...found.values()]
}

/**
 * The constant of the kind that `parts` have together, declared by `declare` when it is new;
 * undefined where there are too many already.
 */
export function shareKind(
  shared: SharedKinds,
  key: string,
  declare: (name: string) => string,
): string | undefined {
  const known = shared.names.get(key)
  if (known !== undefined) return known
  if (isFull(shared)) return undefined
  const name = `all_${shared.names.size + 1}`
  shared.names.set(key, name)
  const index = shared.declarations.push('') - 1
  const code = declare(name)
  shared.declarations[index] = code
  shared.size += code.length
  return name
}
