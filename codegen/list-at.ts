// Lists by name that grow in place: to copy one for each entry takes time by its square.

/** The list of a name; an empty one, which is kept from then on, where there was none. */
export function listAt<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? []
  lists.set(name, list)
  return list
}
