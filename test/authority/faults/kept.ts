// Faults that make something good for more than it was signed or issued for: the adversary that
// keeps everything has to find each.
import type { Fault } from './list.ts'

const edit = (file: string, search: string, replacement: string): Fault['edits'] => [
  { file, search, replacement },
]

const DIRECTORY = 'runtime/participant/access-directory.ts'
const SUCCESSION = 'runtime/participant/succession.ts'
const IDS = 'runtime/economy/network/ids.ts'
const COPIES = 'runtime/economy/network/copies.ts'
const INTERACTIVE = 'runtime/participant/interactive/interactive.ts'
const SIGNATURES = 'runtime/participant/interactive/party-signatures.ts'

type Kept = Omit<Fault, 'replay'>

/** Keeps the names of nodes in a copy, which hide what follows. */
const KEEPS_NAMES = edit(COPIES, 'if (suffix === undefined) return', 'if (suffix !== "") return')

const KEPT: readonly Kept[] = [
  {
    id: 'ids-by-name',
    recipe: [755_671_011],
    what: 'names in the configuration make the ids',
    edits: edit(IDS, 'namespaceOf(random(32))', "namespaceOf(Buffer.from(name, 'utf8'))"),
  },
  {
    id: 'bytes-of-another-ledger',
    recipe: [755_671_011],
    what: 'prepared bytes that name another ledger are executed',
    edits: edit(INTERACTIVE, 'if (synchronizerId !== own)', "if (synchronizerId === '')"),
  },
  {
    id: 'hash-not-compared',
    recipe: [755_671_011],
    what: 'a signature of other bytes counts',
    edits: edit(
      SIGNATURES,
      'const problem = signatureProblem(key, message, signature)\n',
      "const problem = signature.signature === '' ? signatureProblem(key, message, signature) : undefined\n",
    ),
  },
  {
    id: 'no-expiry',
    recipe: [755_671_011],
    what: 'prepared bytes are executed after their end',
    edits: [
      ...edit(
        INTERACTIVE,
        "return before <= now ? { kind: 'too-late', before } : undefined",
        "return before < 0n ? { kind: 'too-late', before } : undefined",
      ),
      ...edit(
        'runtime/engine/commit-batch.ts',
        "if (before !== undefined && recordTime >= before) return { kind: 'too-late', before }",
        '',
      ),
      ...edit(
        'runtime/engine/time-bounds.ts',
        "if (this.#earliest >= time) throw refused({ kind: 'too-late', before: time })",
        '',
      ),
    ],
  },
  {
    id: 'one-key-for-all',
    recipe: [1_633_722_302],
    what: 'one of the keys is enough after more are asked for',
    edits: edit(
      SIGNATURES,
      'if (count >= Math.max(threshold, 1)) return undefined',
      'if (count >= 1) return undefined',
    ),
  },
  {
    id: 'executed-where-it-was',
    recipe: [1_547_059_644],
    what: 'a node executes for a party that has left it',
    nodes: 3,
    edits: edit(
      SIGNATURES,
      'const found = isLocal ? signersOf(topology) : undefined',
      "const found = isLocal || topology !== '' ? signersOf(topology) : undefined",
    ),
  },
  {
    id: 'token-of-any-ledger',
    recipe: [1_560_493_896, 696_206_502, 1_070_120_802],
    what: 'the token of a party names no ledger',
    edits: [
      ...KEEPS_NAMES,
      ...edit(
        DIRECTORY,
        'audience: [node.participantUid, node.synchronizerId],',
        'audience: [node.participantUid],',
      ),
    ],
  },
  {
    id: 'token-after-move',
    recipe: [1_547_059_644],
    what: 'the token of a party is good where the party was before',
    nodes: 3,
    edits: edit(
      DIRECTORY,
      'record?.isLocal === true ? tokenKeysOf(record.topology) : []',
      'record === undefined ? [] : tokenKeysOf(record.topology)',
    ),
  },
  {
    id: 'token-of-an-old-key',
    recipe: [652_470_345, 1_633_722_302],
    what: 'a key that the party has replaced still makes tokens',
    edits: [
      ...edit(
        DIRECTORY,
        'return record?.isLocal === true ? tokenKeysOf(record.topology) : []',
        'const all = [...(OLD.get(party) ?? []), ...(record?.isLocal === true ? tokenKeysOf(record.topology) : [])]\n  OLD.set(party, all)\n  return all',
      ),
      ...edit(
        DIRECTORY,
        'interface DirectoryParts {',
        'const OLD = new Map<string, readonly PartyKey[]>()\n\ninterface DirectoryParts {',
      ),
    ],
  },
  {
    id: 'fork-keeps-its-id',
    recipe: [507_348_194, 924_978_844],
    what: 'a copy of a ledger has the id of its origin',
    edits: edit(
      COPIES,
      'const synchronizerId = uniqueIdentifier(name, namespace)',
      "const synchronizerId = name === '' ? uniqueIdentifier(name, namespace) : ids.synchronizerId",
    ),
  },
  {
    id: 'topology-of-a-copy',
    recipe: [507_348_194, 924_978_844],
    what: 'the topology of a copy is the next one of its origin',
    edits: [
      ...KEEPS_NAMES,
      ...edit(
        COPIES,
        'serialBase: serialBaseOf(namespace)',
        'serialBase: serialBaseOf(namespace) * 0',
      ),
    ],
  },
  {
    id: 'old-definition',
    recipe: [882_075_581],
    what: 'an older definition of the owners counts',
    edits: edit(
      SUCCESSION,
      'firstOf(parts, nextProblem) ??',
      "firstOf(parts.filter(({ name }) => !name.startsWith('Decentralized')), nextProblem) ??",
    ),
  },
  {
    id: 'old-keys',
    recipe: [1_841_652_898, 1_445_923_688, 583_845_187, 207_827_054],
    what: 'keys that were apart come back',
    edits: [
      ...edit(
        SUCCESSION,
        'firstOf(parts, nextProblem) ??',
        "firstOf(parts.filter(({ name }) => name !== 'PartyToKeyMapping'), nextProblem) ??",
      ),
      ...edit(SUCCESSION, 'keysProblem(hosting, successor)', 'undefined'),
    ],
  },
  {
    id: 'old-hosting',
    recipe: [2_054_078_732],
    what: 'an older hosting moves the party back',
    edits: edit(SUCCESSION, 'if (dated.serial !== whole.next)', 'if (dated.serial === 0)'),
  },
  {
    id: 'executed-twice',
    recipe: [818_504_748],
    what: 'signed bytes are executed again',
    edits: edit(
      'runtime/engine/commit-batch.ts',
      'if (command === undefined || command.keptUntil < measured) return undefined',
      'if (command === undefined || command.keptUntil !== measured) return undefined',
    ),
  },
  {
    id: 'ids-pruned',
    recipe: [67_344_833],
    what: 'command ids are forgotten before their time is over',
    edits: edit(
      'plugins/automation-command-ids/index.ts',
      'await store.contracts.forgetCommands(measured)',
      'await store.contracts.forgetCommands(measured + 90_000_000_000n)',
    ),
  },
]

export const KEEPING: readonly Fault[] = KEPT.map((fault) => ({ ...fault, replay: true }))
