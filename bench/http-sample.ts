// What the load of bench/http.ts sends and the servers answer: one small object, one command of
// about 1 KB.
export const GET_PATH = '/v2/users/alice'
export const POST_PATH = '/v2/users/alice/commands'

export const PARTY = `alice::1220${'ab'.repeat(32)}`

export const USER = {
  id: 'alice',
  primaryParty: PARTY,
  isDeactivated: false,
  resourceVersion: '42',
}

/** About 1 KB, shaped like a command: texts, a list of objects, decimals, nested objects. */
export const COMMAND = {
  commandId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
  userId: 'alice',
  actAs: [PARTY],
  readAs: [`bob::1220${'cd'.repeat(32)}`],
  synchronizerId: `global::1220${'ef'.repeat(32)}`,
  deduplicationSeconds: 30,
  commands: ['1', '2', '3'].map((n) => ({
    templateId: `#coin:Holding:Coin${n}`,
    contractId: `00${n.repeat(64)}`,
    choice: 'Transfer',
    amount: '1234.5678900000',
    meta: { reason: 'benchmark', nonce: n },
  })),
}

/** The answer of every server to a command. */
export const accepted = (commandId: unknown): object => ({
  updateId: String(commandId),
  offset: '1234',
})
