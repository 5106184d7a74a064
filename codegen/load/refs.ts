// References to component schemas in a resolved document, the only form they have there.

const PREFIX = '#/components/schemas/'

/** Reference text of a component schema. */
export function schemaRef(name: string): string {
  return PREFIX + name
}

/** Component name in a reference of a resolved document. */
export function refName(ref: string): string {
  return ref.slice(PREFIX.length)
}
