// Faults that take several nodes to show: what docs/authority.md says of them is one line, and
// each of these goes against it.
import type { Edit } from '../../support/source-edit.ts'
import type { Fault } from './list.ts'

const edit = (file: string, search: string, replacement: string): readonly Edit[] => [
  { file, search, replacement },
]

const NODES = 3

export const ACROSS_NODES: readonly Fault[] = [
  {
    id: 'hosted-twice',
    what: 'a party that another node hosts begins anew',
    nodes: NODES,
    edits: edit(
      'runtime/participant/succession.ts',
      'if (dated.serial !== whole.next)',
      'if (dated.serial !== 1 && dated.serial !== whole.next)',
    ),
  },
  {
    id: 'all-active',
    what: 'a node lists the contracts of all nodes',
    nodes: NODES,
    edits: edit(
      'runtime/interfaces/ledger/streams/active-contracts.ts',
      'const { hosted } = reads',
      'const hosted: StreamReads["hosted"] = undefined',
    ),
  },
  {
    id: 'all-updates',
    what: 'a node shows updates of all nodes',
    nodes: NODES,
    edits: edit(
      'runtime/interfaces/ledger/projection/project.ts',
      'return hosted?.seersOf(seersOnce(record) ?? [], record.offset)',
      'return undefined',
    ),
  },
  {
    id: 'users-of-all',
    what: 'the first node lists and reaches the users of all nodes',
    nodes: NODES,
    edits: edit(
      'runtime/store/node-store.ts',
      'has: (stored) => !stored.includes(MARK)',
      'has: () => true',
    ),
  },
]
