// Operations for people: one line each, with names instead of fingerprints.
import type { Op } from './model/ops.ts'
import type { By } from './model/rules.ts'

export function describe({ by, op, ...rest }: Op): string {
  const told = JSON.stringify(rest, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return shortened(`${who(by)}: ${op} ${told}`)
}

function who(by: By): string {
  if (by.kind === 'nobody') return 'nobody'
  return by.kind === 'party'
    ? `${by.sub} by the key ${by.key} of ${by.party}`
    : `${by.sub} by ${by.issuer} (key ${by.key})`
}

/** Fingerprints and contract ids by their last four digits. */
export function shortened(text: string): string {
  return text.replaceAll(/\b(?:1220|00)[0-9a-f]{56,}([0-9a-f]{4})\b/g, '…$1')
}
