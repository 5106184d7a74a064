// Looks into values of unknown shape: modules, manifests, errors.

/** The member of an object or function, or undefined where there is none to have. */
export function member(value: unknown, key: PropertyKey): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? Reflect.get(value, key)
    : undefined
}
