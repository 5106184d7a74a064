// Small packages written by hand: contracts of two versions, choices that throw, and choices that
// look at contracts and make some for others to see.
import { archive, optional, own, PARTY, TEXT, UNIT } from '../support/dar-writer.ts'
import type { ArchiveFile, ChoiceSpec, FieldSpec, TypeSpec } from '../support/dar-writer.ts'
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

const PROBE = own('Probes:Probe')
const held = (name: string): write.Write => write.field(PROBE, name, write.variable('this'))
const given = (choice: string, name: string): write.Write =>
  write.field(own(`Probes:${choice}`), name, write.variable('arg'))
const madeOf = (by: write.Write, seer: write.Write): write.Write =>
  write.create('Probes:Probe', write.record(PROBE, { owner: by, seer }))
const thenNothing = (type: TypeSpec, done: write.Write): write.Write =>
  write.bind('done', type, done, write.pure(UNIT, write.unit))
const PROBE_ID = { builtin: 8, args: [PROBE] }

/** A choice of the owner, which stays. */
const choiceOf = (name: string, body: write.Write, observers = nobody): ChoiceSpec => ({
  name,
  consuming: false,
  argument: own(`Probes:${name}`),
  result: UNIT,
  controllers: write.listOf(PARTY, held('owner')),
  observers,
  body,
})

/**
 * Contracts of an owner that another party sees. Touch makes one while a third party watches, Forge
 * one of another owner, and Look fetches one.
 */
export const probes: ArchiveFile = archive({
  name: 'probes',
  version: '1.0.0',
  modules: [
    {
      name: 'Probes',
      dataTypes: [
        {
          name: 'Probe',
          record: [
            ['owner', PARTY],
            ['seer', PARTY],
          ],
        },
        { name: 'Touch', record: [['watcher', PARTY]] },
        { name: 'Forge', record: [['owner', PARTY]] },
        { name: 'Look', record: [['at', PROBE_ID]] },
      ],
      templates: [
        {
          name: 'Probe',
          signatories: write.listOf(PARTY, held('owner')),
          observers: write.listOf(PARTY, held('seer')),
          choices: [
            choiceOf(
              'Touch',
              thenNothing(PROBE_ID, madeOf(held('owner'), held('owner'))),
              write.listOf(PARTY, given('Touch', 'watcher')),
            ),
            choiceOf(
              'Forge',
              thenNothing(PROBE_ID, madeOf(given('Forge', 'owner'), held('owner'))),
            ),
            choiceOf('Look', thenNothing(PROBE, write.fetch('Probes:Probe', given('Look', 'at')))),
          ],
        },
      ],
    },
  ],
})

/** An interface alone. */
export const seen: ArchiveFile = archive({
  name: 'seen',
  version: '1.0.0',
  modules: [{ name: 'Seen', interfaces: ['Seen'] }],
})
const SEEN: TypeSpec = { ...own('Seen:Seen'), package: seen.packageId }
const SEEN_ID = { builtin: 8, args: [SEEN] }
const lookerOwner = write.listOf(
  PARTY,
  write.field(own('Lookers:Looker'), 'owner', write.variable('this')),
)
const ofLook = (name: string): write.Write =>
  write.field(own('Lookers:Look'), name, write.variable('arg'))

/** Contracts that are of that interface. Look fetches one by it while another party watches. */
export const lookers: ArchiveFile = archive({
  name: 'lookers',
  version: '1.0.0',
  modules: [
    {
      name: 'Lookers',
      dataTypes: [
        { name: 'Looker', record: [['owner', PARTY]] },
        {
          name: 'Look',
          record: [
            ['at', SEEN_ID],
            ['watcher', PARTY],
          ],
        },
      ],
      templates: [
        {
          name: 'Looker',
          signatories: lookerOwner,
          observers: nobody,
          interfaces: [SEEN],
          choices: [
            {
              name: 'Look',
              consuming: false,
              argument: own('Lookers:Look'),
              result: UNIT,
              controllers: lookerOwner,
              observers: write.listOf(PARTY, ofLook('watcher')),
              body: thenNothing(SEEN, write.fetchInterface(SEEN, ofLook('at'))),
            },
          ],
        },
      ],
    },
  ],
})
