// What is made on first use.

/** Makes it once; what fails is tried again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
