// Faults of not-a-server-error and response-time.
import { setTimeout } from 'node:timers/promises'
import type { Call, Hooks } from '../call.ts'
import { CRASH, faultsOf, insteadOf, onAnswer, sent } from './fault.ts'

/** Longer than the two seconds that an answer may take. */
const SLOW_MS = 2200

export const crashes = faultsOf('not-a-server-error', [
  [
    'crash-on-missing-member',
    'getMember answers 500 for a member that is not there.',
    onAnswer('getMember', 404, () => CRASH),
  ],
  [
    'crash-on-empty-subtitle',
    'addBook answers 500 for an empty subtitle.',
    insteadOf('addBook', (call) => sent(call, 'subtitle') === '', CRASH),
  ],
  [
    'crash-on-wide-title',
    'addBook answers 500 for a title with a character beyond Latin-1.',
    insteadOf('addBook', (call) => /[^\u0000-\u00ff]/u.test(String(sent(call, 'title'))), CRASH),
  ],
  [
    'crash-on-null-nickname',
    'changeMember answers 500 for a nickname of null, which is allowed.',
    insteadOf('changeMember', (call) => sent(call, 'nickname') === null, CRASH),
  ],
  [
    'crash-on-unknown-cover',
    'putCover answers 500 instead of 400 for a kind that no cover has.',
    onAnswer('putCover', 400, (reply, call) =>
      ['photo', 'plain'].includes(String(sent(call, 'kind'))) ? reply : CRASH,
    ),
  ],
  [
    'crash-on-old-date',
    'listBooks answers 500 for addedAfter before 1970.',
    insteadOf(
      'listBooks',
      ({ parameters }) => Date.parse(String(parameters['addedAfter'])) < 0,
      CRASH,
    ),
  ],
  [
    'crash-on-covered-book',
    'replaceBook answers 500 for a book that has a cover.',
    {
      instead: ({ operationId, parameters }, { covers }) => {
        return operationId === 'replaceBook' && covers.has(String(parameters['bookId']))
          ? CRASH
          : undefined
      },
    },
  ],
])

export const slowness = faultsOf('response-time', [
  ['slow-health', 'getHealth takes more than two seconds.', slow('getHealth', () => true)],
  [
    'slow-page-limit',
    'listMembers takes more than two seconds for the largest page.',
    slow('listMembers', ({ parameters }) => parameters['limit'] === 20),
  ],
  [
    'slow-tag-search',
    'listBooks takes more than two seconds where three tags are asked for.',
    slow(
      'listBooks',
      ({ parameters }) => Array.isArray(parameters['tags']) && parameters['tags'].length === 3,
    ),
  ],
])

function slow(operationId: string, holds: (call: Call) => boolean): Hooks {
  return {
    instead: async (call) => {
      if (call.operationId === operationId && holds(call)) await setTimeout(SLOW_MS)
      return undefined
    },
  }
}
