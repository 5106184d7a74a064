// Form and multipart bodies arrive as texts and files by field name; these turn them into the
// values that the document declares.
import type { Reader } from './parameters.ts'

/** How one field is read: a file, one value, or a list of either. */
export interface FormField {
  /** Whether what came once is a list of one. */
  readonly list: boolean
  /** Absent for a file. */
  readonly read?: Reader
  /** Values that a list may be instead, such as null: they come as single texts. */
  readonly alone?: readonly unknown[]
  /** The reader of a field that is one value or a list: reads the texts of one that came often. */
  readonly items?: Reader
}

/**
 * The body with each declared field decoded; what cannot be decoded stays text, for the check to
 * refuse.
 */
export function formValues(value: unknown, plan: Readonly<Record<string, FormField>>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const field = Object.hasOwn(plan, name) ? plan[name] : undefined
      return [name, field === undefined ? item : fieldValue(item, field, name)]
    }),
  )
}

function fieldValue(item: unknown, field: FormField, name: string): unknown {
  const { list, alone, items } = field
  const own = alone?.find((one) => String(one) === item)
  if (own !== undefined) return own
  if (!Array.isArray(item))
    return list ? [oneValue(item, field, name)] : oneValue(item, field, name)
  if (list) return item.map((one: unknown) => oneValue(one, field, name))
  return items === undefined
    ? item
    : item.map((one: unknown) => oneValue(one, { list: false, read: items }, name))
}

function oneValue(item: unknown, field: FormField, name: string): unknown {
  if (typeof item !== 'string') return item
  if (field.read === undefined) return new File([item], name)
  const value = field.read(item)
  return value === undefined ? item : value
}
