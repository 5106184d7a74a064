// Faults of flawed-refused, valid-accepted and missing-header-refused: which requests are let in.
import { problem } from '../call.ts'
import { faultsOf, insteadOf, overlooking, sent } from './fault.ts'

const NO = problem(400, 'not like this')

export const accepted = faultsOf('flawed-refused', [
  [
    'long-title-accepted',
    'addBook takes a title longer than 60 characters.',
    overlooking('addBook', 'maxLength', '/title'),
  ],
  [
    'unknown-genre-accepted',
    'addBook takes a genre that is not in the list.',
    overlooking('addBook', 'enum', '/genre'),
  ],
  [
    'missing-pages-accepted',
    'addBook takes a book without number of pages.',
    overlooking('addBook', 'required', '/pages'),
  ],
  [
    'text-room-accepted',
    'addBook takes a text for the room of a shelf, two levels down.',
    overlooking('addBook', 'type', '/shelf/room'),
  ],
  [
    'zero-weight-accepted',
    'addBook takes a weight of zero or less, though the bound is exclusive.',
    overlooking('addBook', 'exclusiveMinimum', '/weightKg'),
  ],
  [
    'impossible-date-accepted',
    'addBook takes any text for the day of publishing.',
    overlooking('addBook', 'format', '/published'),
  ],
  [
    'text-body-accepted',
    'addBook takes JSON under any content type.',
    overlooking('addBook', 'mediaType', ''),
  ],
  [
    'limit-beyond-accepted',
    'listBooks takes a limit above 50.',
    overlooking('listBooks', 'maximum', '/limit'),
  ],
  [
    'word-for-boolean-accepted',
    'listBooks takes any word for inStock.',
    overlooking('listBooks', 'type', '/inStock'),
  ],
  [
    'bad-second-tag-accepted',
    'listBooks checks the first tag only.',
    overlooking('listBooks', 'pattern', '/tags/1'),
  ],
  [
    'view-accepted',
    'listMembers takes any word in the cookie.',
    overlooking('listMembers', 'enum', '/view'),
  ],
  [
    'unknown-address-field-accepted',
    'addMember takes unknown members in the address.',
    {
      tolerates: ({ operationId }, { rule, pointer }) => {
        return (
          operationId === 'addMember' &&
          rule === 'additionalProperties' &&
          pointer.startsWith('/address/')
        )
      },
    },
  ],
  [
    'postcode-accepted',
    'addMember takes any text for the postcode.',
    overlooking('addMember', 'pattern', '/address/postcode'),
  ],
  [
    'repeated-interest-accepted',
    'addMember takes the same interest twice.',
    overlooking('addMember', 'uniqueItems', '/interests'),
  ],
  [
    'huge-card-number-accepted',
    'addMember takes a card number beyond 64 bits.',
    overlooking('addMember', 'format', '/cardNumber'),
  ],
  [
    'empty-change-accepted',
    'changeMember takes a change of nothing, for a member that is there.',
    overlooking('changeMember', 'minProperties', ''),
  ],
  [
    'null-name-accepted',
    'changeMember takes null for the name, for a member that is there.',
    overlooking('changeMember', 'type', '/name'),
  ],
  [
    'loan-of-no-days-accepted',
    'lendBook takes zero days, once book and member are there.',
    overlooking('lendBook', 'minimum', '/days'),
  ],
])

export const refused = faultsOf('valid-accepted', [
  [
    'longest-title-refused',
    'addBook refuses a title of exactly 60 characters.',
    insteadOf('addBook', (call) => [...String(sent(call, 'title'))].length === 60, NO),
  ],
  [
    'absent-subtitle-refused',
    'addBook refuses a book without subtitle, which is optional.',
    insteadOf('addBook', (call) => sent(call, 'subtitle') === undefined, NO),
  ],
  [
    'poetry-refused',
    'addBook refuses one of the genres.',
    insteadOf('addBook', (call) => sent(call, 'genre') === 'poetry', NO),
  ],
  [
    'isbn-with-x-refused',
    'addBook refuses an isbn that ends in X.',
    insteadOf('addBook', (call) => /X$/u.test(String(sent(call, 'isbn'))), NO),
  ],
  [
    'last-limit-refused',
    'listBooks refuses a limit of exactly 50.',
    insteadOf('listBooks', ({ parameters }) => parameters['limit'] === 50, NO),
  ],
  [
    'second-tag-refused',
    'listBooks refuses more than one tag.',
    insteadOf(
      'listBooks',
      ({ parameters }) => Array.isArray(parameters['tags']) && parameters['tags'].length > 1,
      NO,
    ),
  ],
  [
    'offset-refused',
    'listBooks refuses a time with an offset other than Z.',
    insteadOf(
      'listBooks',
      ({ parameters }) => /\d$/u.test(String(parameters['addedAfter'] ?? '')),
      NO,
    ),
  ],
  [
    'null-nickname-refused',
    'addMember refuses a nickname of null.',
    insteadOf('addMember', (call) => sent(call, 'nickname') === null, NO),
  ],
  [
    'wide-monogram-refused',
    'addMember counts UTF-16 units: two characters beyond the basic plane are too many for a monogram.',
    insteadOf('addMember', (call) => String(sent(call, 'monogram') ?? '').length > 2, NO),
  ],
  [
    'big-card-number-refused',
    'addMember refuses card numbers beyond 2^53.',
    insteadOf('addMember', (call) => typeof sent(call, 'cardNumber') === 'bigint', NO),
  ],
  [
    'photo-as-415',
    'putCover answers 415 for photos.',
    insteadOf('putCover', (call) => sent(call, 'kind') === 'photo', problem(415, 'no photos')),
  ],
])

export const headerless = faultsOf('missing-header-refused', [
  [
    'no-branch-to-add',
    'addBook does without the required header.',
    overlooking('addBook', 'required', '/Library-Branch'),
  ],
  [
    'no-branch-to-replace',
    'replaceBook does without the required header.',
    overlooking('replaceBook', 'required', '/Library-Branch'),
  ],
  [
    'no-branch-to-lend',
    'lendBook does without the required header, once book and member are there.',
    overlooking('lendBook', 'required', '/Library-Branch'),
  ],
])
