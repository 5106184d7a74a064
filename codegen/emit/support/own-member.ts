// Members of values of any type, whatever those inherit.

/** The own member of an object or list; undefined where there is none of that name. */
export function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
