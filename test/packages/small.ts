// Small packages written by hand: contracts of two versions, and choices that throw.
import { archive, optional, own, PARTY, TEXT, UNIT } from '../support/dar-writer.ts'
import type { ArchiveFile, FieldSpec } from '../support/dar-writer.ts'
import * as write from './expressions.ts'

const NOTE = own('Notes:Note')
const OOPS = own('Notes:Oops')
const UPDATE = { builtin: 17, args: [UNIT] }
const owner = write.listOf(PARTY, write.field(NOTE, 'owner', write.variable('this')))
const nobody = write.listOf(PARTY)

/** Makes a copy, then throws. */
const copyAndThrow = write.bind(
  'copy',
  { builtin: 8, args: [NOTE] },
  write.create('Notes:Note', write.variable('this')),
  write.thrown(UPDATE, OOPS, write.record(OOPS, {})),
)
const handled = write.some(UPDATE, write.pure(UNIT, write.unit))
/** Fails with words of its own. */
const failed = write.apply(
  write.applyTypes(write.builtin(66), UPDATE),
  write.text('NO_COIN'),
  write.category(1),
  write.text('The coin of Main:Coin is gone'),
  write.apply(
    write.applyTypes(write.builtin(61), TEXT),
    write.text('coin'),
    write.text('a coin'),
    write.applyTypes(write.builtin(60), TEXT),
  ),
)
const choices = [
  ['Throw', copyAndThrow],
  ['Fail', failed],
  ['Catch', write.attempt(UNIT, copyAndThrow, handled)],
] as const

/** Notes; from the second version on they may have a text. */
export function notes(version: '1.0.0' | '2.0.0'): ArchiveFile {
  const later: readonly FieldSpec[] = version === '1.0.0' ? [] : [['text', optional(TEXT)]]
  return archive({
    name: 'notes',
    version,
    modules: [
      {
        name: 'Notes',
        dataTypes: [{ name: 'Note', serializable: true, record: [['owner', PARTY], ...later] }],
        exceptions: ['Oops'],
        templates: [
          {
            name: 'Note',
            signatories: owner,
            observers: nobody,
            choices: choices.map(([name, body]) => ({
              name,
              result: UNIT,
              controllers: owner,
              observers: nobody,
              body,
            })),
          },
        ],
      },
    ],
  })
}
