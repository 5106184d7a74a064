// What a report of changes says, whatever its format: levels for the sides that are asked for,
// counts, and who is reached.
import { LEVELS, worse } from './level.ts'
import type { Change, InterfaceChanges, OperationUse } from './change.ts'
import type { Level, Side } from './level.ts'
import type { Stored } from './rule.ts'
import { levelAt } from '../rules/levels.ts'
import type { Levels } from '../rules/levels.ts'
import { RULES } from './rules.ts'

export interface ReportOptions {
  readonly sides: readonly Side[]
  /** Changes that a team accepts. */
  readonly accepted: Levels<'off'>
  /** A file's name as a person should see it. */
  show(file: string): string
}

/** A change as a report shows it. */
export interface Line {
  readonly interface: string
  readonly change: Change
  /** The worst for the sides asked for. */
  readonly level: Level
  /** Sides for which it is that. */
  readonly sides: readonly Side[]
  readonly isAllowed: boolean
}

interface Summary {
  readonly breaking: number
  readonly additive: number
  readonly editorial: number
  /** Breaking changes by side. */
  readonly callers: number
  readonly implementers: number
  /** Breaking changes by which stored contracts cannot be read as they are. */
  readonly stored: number
  /** Breaking changes that are allowed. */
  readonly allowed: number
}

export const SIDES: readonly Side[] = ['callers', 'implementers']

/** Every change that means something to the sides asked for, the worst first. */
export function linesOf(
  interfaces: readonly InterfaceChanges[],
  { sides, accepted }: ReportOptions,
): readonly Line[] {
  const lines = interfaces.flatMap((one) =>
    one.changes.map((change): Line => {
      const level = sides.map((side) => change[side]).reduce(worse)
      const isAllowed =
        level === 'breaking' && levelAt(accepted, change.rule, placesOf(change)) === 'off'
      return {
        interface: one.interface,
        change,
        level,
        sides: sides.filter((side) => change[side] === level),
        isAllowed,
      }
    }),
  )
  return lines
    .filter(({ level }) => level !== 'none')
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

/** Places by which a level may be given to the rule of a change. */
export function placesOf({ place, pointer }: Change): readonly string[] {
  return [place, pointer]
}

/** Counts of lines. */
export function summaryOf(lines: readonly Line[]): Summary {
  const count = (is: (line: Line) => boolean): number => lines.filter(is).length
  const breaks =
    (side: Side) =>
    ({ level, sides }: Line): boolean =>
      level === 'breaking' && sides.includes(side)
  return {
    breaking: count(({ level }) => level === 'breaking'),
    additive: count(({ level }) => level === 'additive'),
    editorial: count(({ level }) => level === 'editorial'),
    callers: count(breaks('callers')),
    implementers: count(breaks('implementers')),
    stored: count(
      ({ level, change: { stored = 'read' } }) => level === 'breaking' && stored !== 'read',
    ),
    allowed: count(({ isAllowed }) => isAllowed),
  }
}

/** One line of counts. */
export function summaryText({
  breaking,
  additive,
  editorial,
  callers,
  implementers,
  stored,
  allowed,
}: Summary): string {
  if (breaking + additive + editorial === 0) return 'no changes'
  const details = [
    ...(callers > 0 ? [`${callers} for callers`] : []),
    ...(implementers > 0 ? [`${implementers} for implementers`] : []),
    ...(stored > 0 ? [`${stored} for stored contracts`] : []),
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
  ]
  return `${breaking} breaking${details.length === 0 ? '' : ` (${details.join(', ')})`}, ${additive} additive, ${editorial} editorial`
}

/** `breaking for callers and implementers`; words concern nobody in particular. */
export function levelText({ level, sides, isAllowed }: Line): string {
  const words = level === 'editorial' ? level : `${level} for ${sides.join(' and ')}`
  return isAllowed ? `allowed, ${words}` : words
}

const NAMED = 3

const STORED: Readonly<Record<Stored, string>> = {
  read: 'stored contracts are read as they are',
  upgrade: 'stored contracts need an upgrade',
  refused: '`generate` refuses it once the version is committed',
  'no-upgrade': 'a ledger with the older package refuses the newer',
}

/**
 * Which operations a change of a component schema reaches, and which way; what a change of
 * contracts means for those that are stored; '' for changes that stand in an operation.
 */
export function reachText({ operations, place, rule, stored }: Change): string {
  if (stored !== undefined) return ` (${STORED[stored]})`
  if (operations.length === 0)
    return RULES[rule].kind === 'ways' ? ' (no operation of both documents reaches it)' : ''
  if (operations.length === 1 && operations[0]?.operationId === place) return ''
  const ways = (['request', 'response', 'both'] as const).flatMap((way) => {
    const uses = operations.filter((use) => use.in === way)
    return uses.length === 0
      ? []
      : [`in ${way === 'both' ? 'request and response' : way} of ${listed(uses)}`]
  })
  return ways.length === 0 ? '' : ` (${ways.join('; ')})`
}

function listed(uses: readonly OperationUse[]): string {
  const named = uses
    .slice(0, NAMED)
    .map(({ operationId }) => operationId)
    .join(', ')
  return uses.length <= NAMED ? named : `${named} and ${uses.length - NAMED} more`
}
