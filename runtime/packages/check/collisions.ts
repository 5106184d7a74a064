// Names of a package that are equal but for their case. Only a record and a constructor of a
// variant may share one, within a module.
import type { Module, Package } from '../program/definitions.ts'
import { BrokenRule } from '../program/malformed-definition.ts'

interface Named {
  readonly kind: string
  readonly module: string
  /** The name within the module; '' is the module itself. */
  readonly name: string
}

/** Throws BrokenRule. */
export function refuseCollisions({ modules }: Package): void {
  const taken = new Map<string, Named>()
  for (const module of modules.values())
    for (const named of namesIn(module)) {
      const full = `${named.module}.${named.name}`.toLowerCase()
      const other = taken.get(full)
      if (other !== undefined && !mayShare(named, other))
        throw new BrokenRule(
          named,
          'name collision condition',
          `Its name is that of a ${other.kind} of ${other.module}`,
        )
      if (other === undefined) taken.set(full, named)
    }
}

function mayShare(one: Named, other: Named): boolean {
  const kinds = new Set([one.kind, other.kind])
  return one.module === other.module && kinds.has('record') && kinds.has('constructor')
}

function* namesIn(module: Module): Generator<Named> {
  const named = (kind: string, name: string): Named => ({ kind, module: module.name, name })
  yield named('module', '')
  for (const name of module.synonyms.keys()) yield named('synonym', name)
  for (const [name, read] of module.dataTypes) {
    const { shape } = read()
    yield named(shape.kind, name)
    if (shape.kind === 'record')
      for (const field of shape.fields) yield named('field', `${name}.${field.name}`)
    if (shape.kind === 'variant')
      for (const each of shape.constructors) yield named('constructor', `${name}.${each.name}`)
    if (shape.kind === 'enum')
      for (const each of shape.constructors)
        yield named('constructor of an enum', `${name}.${each}`)
  }
  for (const [name, read] of module.templates)
    for (const choice of read().choices.keys()) yield named('choice', `${name}.${choice}`)
  for (const [name, read] of module.interfaces) {
    const { choices, methods } = read()
    for (const choice of choices.keys()) yield named('choice', `${name}.${choice}`)
    for (const method of methods.keys()) yield named('method', `${name}.${method}`)
  }
}
