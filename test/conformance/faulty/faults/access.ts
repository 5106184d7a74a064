// Faults of authentication: who is let in.
import type { Hooks } from '../call.ts'
import { faultsOf } from './fault.ts'

export const access = faultsOf('authentication', [
  ['everybody-adds-books', 'addBook asks for no token.', open('addBook')],
  ['everybody-reads-labels', 'getLabel asks for no token.', open('getLabel')],
  ['everybody-removes-members', 'removeMember asks for no token.', open('removeMember')],
  [
    'any-token',
    'Every bearer token is right, none at all is wrong.',
    { admits: ({ authorization }) => /^bearer ./iu.test(authorization) },
  ],
  [
    'any-scheme',
    'Every Authorization of another scheme is right, such as Basic.',
    { admits: ({ authorization }) => authorization !== '' && !/^bearer/iu.test(authorization) },
  ],
  [
    'signature-ignored',
    'Only two of the three parts of a token are compared: one with a changed end is right.',
    {
      admits: ({ authorization }, token) =>
        authorization.startsWith(`Bearer ${token.split('.').slice(0, 2).join('.')}.`),
    },
  ],
])

function open(operationId: string): Hooks {
  return { admits: (call) => call.operationId === operationId }
}
