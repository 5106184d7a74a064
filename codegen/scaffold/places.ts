// Places in hand-written files after their change: what a report names has to be found where the
// file now has it.
import type { Edits } from './patch.ts'
import type { FilePlace } from './module.ts'
import type { HandlerPlace, ScaffoldReport } from './report.ts'
import { quoted } from './style.ts'

type Found = Omit<ScaffoldReport, 'status' | 'milliseconds'>

/** The same report with places as the files are once it is written. */
export function placesAfter<R extends Found>(report: R, edits: Edits): R {
  const { files } = report
  const moved = (place: FilePlace): FilePlace => shifted(place, edits, files.get(place.file))
  const movedAt = <T extends { readonly at: FilePlace }>(one: T): T => ({
    ...one,
    at: moved(one.at),
  })
  return {
    ...report,
    added: report.added.map((one) => ({
      ...one,
      at: skeletonPlace(one, files.get(one.at.file)) ?? one.at,
    })),
    renamed: report.renamed.map(movedAt),
    orphans: report.orphans.map(movedAt),
    strangers: report.strangers.map(movedAt),
    retyped: report.retyped.map(movedAt),
    unsure: report.unsure.map(movedAt),
    unread: report.unread.map(movedAt),
    doubled: report.doubled.map((one) => ({ ...one, at: one.at.map(moved) })),
  }
}

/** The line above the one that throws: that of the member's name. */
function skeletonPlace(
  { operationId, at: { file } }: HandlerPlace,
  text: string | undefined,
): FilePlace | undefined {
  if (text === undefined) return undefined
  const names = (["'", '"'] as const).map((quote) =>
    quoted(operationId, { quote }).replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&'),
  )
  const thrown = new RegExp(
    `\\n[^\\S\\n]*throw new [\\w$.]+\\((?:${names.join('|')})\\)`,
    'u',
  ).exec(text)
  if (thrown === null) return undefined
  const start = text.lastIndexOf('\n', thrown.index - 1) + 1
  const indent = /^[ \t]*/u.exec(text.slice(start))?.[0].length ?? 0
  return placeAt(file, text, start + indent)
}

function shifted(place: FilePlace, edits: Edits, text: string | undefined): FilePlace {
  const changed = edits.get(place.file)
  if (changed === undefined || text === undefined) return place
  const offset = changed.module.tree.getPositionOfLineAndCharacter(place.line - 1, place.column - 1)
  const before = changed.patches.filter(({ at, length }) => at + length <= offset && at < offset)
  return placeAt(
    place.file,
    text,
    before.reduce((sum, { length, text: added }) => sum + added.length - length, offset),
  )
}

function placeAt(file: string, text: string, offset: number): FilePlace {
  const before = text.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
