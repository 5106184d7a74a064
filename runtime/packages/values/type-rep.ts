// Types as values: those that a package defines, without arguments, are all that a value can carry.
import { compareText } from './text.ts'
import type { Reference } from '../program/types.ts'

export class TypeRep {
  readonly reference: Reference

  constructor(reference: Reference) {
    this.reference = reference
  }

  /** The same text for the same type, another for another. */
  get key(): string {
    return this.reference.text
  }
}

/** Orders names by package, module and entity: negative, zero or positive. */
export function compareNames(a: Reference, b: Reference): number {
  return (
    compareText(a.packageId, b.packageId) ||
    compareText(a.module, b.module) ||
    compareText(a.name, b.name)
  )
}
