// Answers that are worked out once for each object that they are about.

/** The function `make`, which is asked once for each key as long as that lives. */
export function once<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly value: T }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}
