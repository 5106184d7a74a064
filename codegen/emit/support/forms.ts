// Form and multipart bodies arrive as texts and files by field name; these turn them into the
// values that the document declares.
import type { Reader } from './parameters.ts'

/** How one field is read: a file, one value, or a list of either. */
export interface FormField {
  readonly list: boolean
  /** Absent for a file. */
  readonly read?: Reader
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
  if (!field.list) return Array.isArray(item) ? item : oneValue(item, field, name)
  return (Array.isArray(item) ? item : [item]).map((one: unknown) => oneValue(one, field, name))
}

function oneValue(item: unknown, field: FormField, name: string): unknown {
  if (typeof item !== 'string') return item
  if (field.read === undefined) return new File([item], name)
  const value = field.read(item)
  return value === undefined ? item : value
}
