// Sequences for people: one line a step, with names instead of fingerprints.
import type { Op } from './model/ops.ts'
import type { By } from './model/rules.ts'
import type { Outcome } from './outcome.ts'

/** What was done at a step. */
export type Deeds = readonly Op[] | 'restart'

/** The steps, and what the last one violates. */
export function describeOutcome({ trail, failure }: Outcome): string {
  const steps = trail.map((deeds, index) => `  ${index + 1}. ${deeds}`)
  const said = (failure?.answers ?? []).map(({ status, text }) =>
    shortened(`     answered ${status} ${text.slice(0, 300)}`),
  )
  const faults = (failure?.violations ?? []).map(
    ({ rule, detail }) => `  ${rule}: ${shortened(detail)}`,
  )
  return [...steps, ...said, ...faults].join('\n')
}

export function describeDeeds(deeds: Deeds): string {
  return deeds === 'restart'
    ? 'the node starts again'
    : deeds.map(describe).join('\n     at the same time ')
}

function describe({ by, op, ...rest }: Op): string {
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
function shortened(text: string): string {
  return text.replaceAll(/\b(?:1220|00)[0-9a-f]{56,}([0-9a-f]{4})\b/g, '…$1')
}
